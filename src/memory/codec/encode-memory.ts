import { invalidInput } from "../../machine/heed-error.ts";
import type { Memory } from "../memory.ts";
import { FIELD_NAMES, MEMORY_FIELDS } from "../memory-fields.ts";
import { TypeTable } from "../memory-type.ts";
import { canonicalBody, MAX_FRONT_MATTER_CHARS } from "./front-matter.ts";
import { stringify } from "yaml";
import { asRecord } from "../../machine/read-fields.ts";

export const TOP_LEVEL: ReadonlySet<string> = new Set(["name", "statement"]);

/** A memory in canonical form, without what its type's defaults say. @throws HeedError `invalid-input` when the front matter is too long to read. */
export function encodeMemory(memory: Memory, types: TypeTable = new TypeTable()): string {
  const defaults: Record<string, unknown> = { ...types.get(memory.type)?.defaults };
  const lines = FIELD_NAMES.flatMap((name) => {
    const { keys, parts } = MEMORY_FIELDS[name];
    const value = parts === undefined ? memory[name] : partsOf({ ...(memory[name] as object) }, parts);
    if (isEmpty(value) || value === defaults[name]) return [];
    const line = `${keys[0]}: ${renderInline(value)}`;
    return TOP_LEVEL.has(name) ? [line] : [...(name === "type" ? ["metadata:"] : []), `  ${line}`];
  });
  const yaml = `${lines.join("\n")}\n`;
  if (yaml.length > MAX_FRONT_MATTER_CHARS - 8) {
    const size = `has ${yaml.length} characters, at most ${MAX_FRONT_MATTER_CHARS} fit`;
    const message = `the front matter of "${memory.name.slice(0, 80)}" ${size}: move text from the statement, tags or guard to the body`;
    throw invalidInput("memory", yaml.length, message);
  }
  const body = canonicalBody(memory.body);
  return `---\n${yaml}---\n${body}${body === "" ? "" : "\n"}`;
}

function partsOf(map: Record<string, unknown>, parts: readonly string[]): object | undefined {
  const entries = parts.filter((part) => !isEmpty(map[part])).map((part) => [part, map[part]]);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

export function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

/** Words that YAML 1.1 readers (PyYAML for one) take for booleans or base-60 numbers when they stand unquoted. */
const YAML_1_1_WORDS = /^(?:y|yes|n|no|on|off|[-+]?\d[\d_]*(?::[0-5]?\d)+)$/i;

/** A value on one line as written after `key: ` in block style; lists and maps inside it are in flow style. */
export function renderInline(value: unknown): string {
  return typeof value === "object" && value !== null ? renderFlow(value) : scalar(value, "block");
}

/** A value on one line as written inside `[…]` or `{…}`. */
function renderFlow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => renderFlow(item)).join(", ")}]`;
  const record = asRecord(value);
  if (!record) return scalar(value, "flow");
  const pairs = Object.entries(record).map(([key, item]) => `${renderFlow(key)}: ${renderFlow(item)}`);
  return pairs.length === 0 ? "{}" : `{ ${pairs.join(", ")} }`;
}

function scalar(value: unknown, context: "block" | "flow"): string {
  const needsQuotes =
    typeof value === "string" && (/[\n\u0085\u2028\u2029\uFEFF]/.test(value) || YAML_1_1_WORDS.test(value));
  const options = {
    lineWidth: 0,
    flowCollectionPadding: false,
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
    defaultKeyType: "PLAIN",
    defaultStringType: needsQuotes ? "QUOTE_DOUBLE" : "PLAIN",
  } as const;
  // Rendered inside a map or list, since what needs quotes depends on where a value stands.
  if (context === "block") return stringify({ k: value }, options).slice("k: ".length).trimEnd();
  return stringify([value], { ...options, collectionStyle: "flow" })
    .trimEnd()
    .slice(1, -1);
}
