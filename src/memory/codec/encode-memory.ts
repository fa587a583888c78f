import { HeedError } from "../../errors/heed-error.ts";
import type { Memory } from "../memory.ts";
import { FIELD_NAMES, MEMORY_FIELDS } from "../memory-fields.ts";
import { TypeTable } from "../memory-type.ts";
import { canonicalBody, MAX_FRONT_MATTER_CHARS } from "./front-matter.ts";
import { renderInline } from "./yaml-text.ts";

/** Fields that stand beside `metadata`, not in it. */
export const TOP_LEVEL: ReadonlySet<string> = new Set(["name", "description"]);

/**
 * A memory as the text of its file, in canonical form: name and description at the top level, the other keys under
 * `metadata` with the type first, lists and maps in flow style. Keys that say no more than the type's default are
 * left out, except for types that `types` does not know, whose defaults nobody else may know either.
 *
 * @throws HeedError `invalid-input` when the front matter would be too long to be read again.
 */
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
    throw new HeedError(
      "invalid-input",
      `the front matter of "${memory.name.slice(0, 80)}" has ${yaml.length} characters, at most ${MAX_FRONT_MATTER_CHARS} fit: ` +
        "move text from description, tags or guard to the body",
      { argument: "memory", value: yaml.length },
    );
  }
  const body = canonicalBody(memory.body);
  return `---\n${yaml}---\n${body}${body === "" ? "" : "\n"}`;
}

/** The parts that say something, in their order; undefined when none does. */
function partsOf(map: Record<string, unknown>, parts: readonly string[]): object | undefined {
  const entries = parts.filter((part) => !isEmpty(map[part])).map((part) => [part, map[part]]);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** Whether a field says nothing: it is not written then. */
export function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}
