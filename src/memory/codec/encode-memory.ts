import { invalidInput, HeedError } from "../../machine/heed-error.ts";
import type { Memory, MemoryHeader } from "../memory.ts";
import { FIELD_NAMES, MEMORY_FIELDS } from "../memory-fields.ts";
import { TypeTable } from "../memory-type.ts";
import {
  canonicalBody,
  MAX_FRONT_MATTER_CHARS,
  closeLine,
  MAX_YAML_ALIASES,
  openYaml,
  valueOf,
  fromLf,
  lineEndOf,
  splitSource,
  toLf,
  readYaml,
  BrokenYaml,
} from "./front-matter.ts";
import { type Node, type Pair, type YAMLMap, stringify, isMap, isPair, isScalar, isSeq } from "yaml";
import { asRecord, FieldReader } from "../../machine/read-fields.ts";
import { isDeepStrictEqual } from "node:util";
import { slugOf } from "../handle.ts";
import { heedType, readField, RELATED_KEY } from "./field-values.ts";

const TOP_LEVEL: ReadonlySet<string> = new Set(["name", "statement"]);

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

function isEmpty(value: unknown): boolean {
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

export type KeyPath = readonly [string, ...string[]];

/** Sets the value under a path of keys; undefined takes the key away. The lines of other keys stay as they are, where YAML allows. */
export function setYamlValue(source: string, path: KeyPath, value: unknown): string {
  const edited = editLines(source, path, value);
  return edited !== undefined && hasValue(edited, path, value) ? edited : reprint(source, path, value);
}

/** Writes the pair anew that the path leads to by lines of their own; undefined: all of it is within brackets. */
function editLines(source: string, path: KeyPath, value: unknown): string | undefined {
  const document = openYaml(source);
  let map = document.contents as unknown;
  if (!isMap(map)) return value === undefined ? source : closeLine(source) + renderPair(path, value, "");
  if (map.flow === true) return undefined;
  let depth = 0;
  for (let inner = pairsOf(map, path[0]).at(-1)?.value; depth < path.length - 1;) {
    if (!isMap(inner) || inner.flow === true) break;
    map = inner;
    depth += 1;
    inner = pairsOf(inner, path[depth]).at(-1)?.value;
  }
  const [key = "", ...rest] = path.slice(depth);
  const pairs = pairsOf(map as YAMLMap, key);
  const last = pairs.at(-1);
  const indent = lineIndent(source, startOf((map as YAMLMap).items[0]));
  if (!last)
    return value === undefined
      ? source
      : insertLines(
          source,
          endOf(source, (map as YAMLMap).items.at(-1)),
          renderPair([key, ...rest], value, indent),
        );
  const inner = (last.value as Node | null)?.toJS(document, { maxAliasCount: MAX_YAML_ALIASES }) as unknown;
  const said = withValue(inner, rest, value);
  if (said === undefined) return pairs.reduceRight((text, pair) => withoutLines(text, source, pair), source);
  const keyEnd = (last.key as Node).range?.[1] ?? 0;
  return `${source.slice(0, keyEnd)}: ${renderInline(said)}${source.slice(endOf(source, last))}`;
}

function pairsOf(map: YAMLMap, key: string | undefined): Pair[] {
  return map.items.filter((pair) => isScalar(pair.key) && String(pair.key.value) === key);
}

/** A record with a value under a path of keys, or without it. */
function withValue(record: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const { [key]: inner, ...others } = asRecord(record) ?? {};
  const set = withValue(inner, rest, value);
  return set === undefined ? others : { ...asRecord(record), [key]: set };
}

function hasValue(text: string, path: KeyPath, value: unknown): boolean {
  try {
    const found = path.reduce((at: unknown, key) => asRecord(at)?.[key], valueOf(openYaml(text), text));
    return isDeepStrictEqual(found, value);
  } catch {
    return false;
  }
}

/** For YAML too odd to edit by its lines: comments and order stay, blanks and quotes do not. */
function reprint(source: string, path: KeyPath, value: unknown): string {
  const document = openYaml(source);
  if (value === undefined) document.deleteIn(path);
  else document.setIn(path, document.createNode(value, { flow: true }));
  return document.toString({ lineWidth: 0 });
}

/** New lines for a value; `metadata` is made as a block, as every tool writes it, with one line per key. */
function renderPair([key, ...rest]: readonly string[], value: unknown, indent: string): string {
  const head = `${indent}${renderInline(key)}:`;
  return rest.length > 0 && key === "metadata"
    ? `${head}\n${renderPair(rest, value, `${indent}  `)}`
    : `${head} ${renderInline(withValue(undefined, rest, value))}\n`;
}

function startOf(pair: Pair | undefined): number {
  return (pair?.key as Node | undefined)?.range?.[0] ?? 0;
}

/** Where the text of an item ends, without comments and line ends after it; of a pair without a value, its colon. */
function endOf(source: string, item: unknown): number {
  if (isPair(item)) {
    const value = item.value as Node | null;
    if (value?.range && value.range[1] > value.range[0]) return endOf(source, value);
    return source.indexOf(":", (item.key as Node).range?.[1] ?? 0) + 1;
  }
  if ((isMap(item) || isSeq(item)) && !item.flow && item.items.length > 0)
    return endOf(source, item.items.at(-1));
  const [start, end] = (item as Node | undefined)?.range ?? [source.length, source.length];
  return start + source.slice(start, end).trimEnd().length;
}

function lineIndent(source: string, offset: number): string {
  return /^ */.exec(source.slice(source.lastIndexOf("\n", offset - 1) + 1, offset))?.[0] ?? "";
}

function insertLines(source: string, offset: number, lines: string): string {
  const lineEnd = source.indexOf("\n", offset);
  return lineEnd < 0
    ? `${source}\n${lines.trimEnd()}`
    : source.slice(0, lineEnd + 1) + lines + source.slice(lineEnd + 1);
}

/** A text without the lines of a pair; its place is that in `parsed`, which the text begins as. */
function withoutLines(text: string, parsed: string, pair: Pair): string {
  const lineEnd = parsed.indexOf("\n", endOf(parsed, pair));
  const start = parsed.lastIndexOf("\n", startOf(pair) - 1) + 1;
  return text.slice(0, start) + (lineEnd < 0 ? "" : text.slice(lineEnd + 1));
}

/** What an amendment changes: absent fields stay as they are, `null` and empty lists remove the key. */
export type MemoryAmendment = { [K in keyof Memory]?: Memory[K] | null };

/** The built-in types: a default that everybody knows need not be written. */
const TYPES = new TypeTable();

/** Edits a memory's file; every character that the changes do not concern stays. @throws HeedError `broken-file`, `invalid-input` for an unknown field. */
export function amendMemory(text: string, changes: MemoryAmendment): string {
  const split = splitSource(text);
  const lf = toLf(split.yaml);
  const yaml = amendFrontMatter(lf, split.isUnclosed, changes);
  const body = amendBody(split.body, changes.body);
  if (yaml === lf && body === split.body) return text;
  const eol = lineEndOf(text);
  if (split.opening === "") {
    if (yaml === "") return body;
    const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
    return `${mark}${fromLf(`---\n${closeLine(yaml)}---\n`, eol)}${body.slice(mark.length)}`;
  }
  const front = yaml === lf ? split.yaml : fromLf(closeLine(yaml), eol);
  // A file that ended with its closing fence gets a line end before its first text.
  const fence = body !== "" && !/[\r\n]$/.test(split.closing) ? `${split.closing}${eol}` : split.closing;
  return split.opening + front + fence + body;
}

function amendFrontMatter(source: string, isUnclosed: boolean, changes: MemoryAmendment): string {
  const entries = Object.entries(changes)
    .filter(([field, value]) => field !== "body" && value !== undefined)
    // The type first: the defaults of the other fields follow from it.
    .sort(([a], [b]) => Number(b === "type") - Number(a === "type"));
  if (entries.length === 0) return source;
  if (isUnclosed) throw broken("the front matter is never closed");
  try {
    // Where reading needed a repair, the amended file has it repaired.
    const { yaml: readable, isMap } = readYaml(source);
    if (!isMap && readable.trim() !== "")
      throw new BrokenYaml(0, "it is a text or a list, not keys with values");
    let yaml = readable;
    for (const [field, value] of entries) {
      if (!Object.hasOwn(MEMORY_FIELDS, field))
        throw new HeedError("invalid-input", `a memory has no field "${field}"`, { argument: field, value });
      yaml = amendField(yaml, field as keyof MemoryHeader, value);
    }
    return yaml === readable ? source : yaml;
  } catch (error) {
    throw error instanceof HeedError ? error : broken((error as Error).message, error);
  }
}

function amendField(yaml: string, field: keyof MemoryHeader, value: unknown): string {
  const frontMatter = readYaml(yaml).values;
  if (holds(frontMatter, field, value)) return yaml;
  const { keys, parts } = MEMORY_FIELDS[field];
  const record = parts && asRecord(value);
  const current = new FieldReader(frontMatter).get(...keys);
  const said = record && withParts(current, record, parts);
  // What other tools name as related is among the links.
  const kept = field === "links" ? without(yaml, frontMatter, [RELATED_KEY]) : yaml;
  if (isEmpty(value) || (said && Object.keys(said).length === 0))
    return current === undefined ? kept : without(kept, frontMatter, keys);
  return setYamlValue(kept, placeOf(frontMatter, field), said ?? value);
}

/** Takes keys away on every level: what one hides must not show through when it is gone. */
function without(yaml: string, frontMatter: Record<string, unknown>, keys: readonly string[]): string {
  return pathsOf(frontMatter, keys).reduce((text, path) => setYamlValue(text, path, undefined), yaml);
}

/** A map with heed's parts as they are to be, and all of other tools'. */
function withParts(
  current: unknown,
  wanted: Record<string, unknown>,
  parts: readonly string[],
): Record<string, unknown> {
  // `globs` is another name of `paths`.
  const { globs: _, ...others } = asRecord(current) ?? {};
  const names = [...new Set([...Object.keys(others), ...parts])];
  const said = names.map((name) => [name, parts.includes(name) ? wanted[name] : others[name]] as const);
  return Object.fromEntries(said.filter(([, value]) => !isEmpty(value)));
}

function holds(frontMatter: Record<string, unknown>, field: keyof MemoryHeader, value: unknown): boolean {
  const fields = new FieldReader(frontMatter);
  if (fields.get(...MEMORY_FIELDS[field].keys) === undefined && field !== "origin") {
    const defaults: Record<string, unknown> = { ...TYPES.get(heedType(fields.text("type") ?? ""))?.defaults };
    return defaults[field] === value;
  }
  const wanted = typeof value === "string" ? value.replace(/\s+/g, " ").trim() : value;
  const said = readField(fields, field);
  return (
    isDeepStrictEqual(said, wanted) || (field === "name" && slugOf(fields.text("name") ?? "") === wanted)
  );
}

/** The path of a field: where the reader finds it, else where it is empty, else where heed would put it. */
function placeOf(frontMatter: Record<string, unknown>, field: keyof MemoryHeader): KeyPath {
  const { keys } = MEMORY_FIELDS[field];
  const metadata = frontMatter["metadata"] ?? {};
  const isBeside = TOP_LEVEL.has(field) || asRecord(metadata) === undefined;
  const paths = pathsOf(frontMatter, keys);
  const isRead = ([first, inner]: KeyPath): boolean =>
    (inner === undefined ? frontMatter[first] : asRecord(metadata)?.[inner]) !== null;
  return paths.find(isRead) ?? paths[0] ?? (isBeside ? [keys[0]] : ["metadata", keys[0]]);
}

/** Where the keys are, in the order in which they are read. */
function pathsOf(frontMatter: Record<string, unknown>, keys: readonly string[]): KeyPath[] {
  const names = keys.flatMap((key) => [...new Set([key, key.replaceAll("_", "-")])]);
  const has = (level: unknown) => (key: string) => Object.hasOwn(asRecord(level) ?? {}, key);
  return [
    ...names.filter(has(frontMatter["metadata"])).map((key): KeyPath => ["metadata", key]),
    ...names.filter(has(frontMatter)).map((key): KeyPath => [key]),
  ];
}

function broken(what: string, cause?: unknown): HeedError {
  const message = `the front matter cannot be edited: ${what}. Fix the file by hand first (heed check names the line)`;
  return new HeedError("broken-file", message, {}, { cause });
}

function amendBody(source: string, body: string | null | undefined): string {
  if (body === undefined) return source;
  const current = canonicalBody(source);
  const wanted = canonicalBody(body ?? "");
  if (wanted === current) return source;
  const lead = /^(?:[ \t]*(?:\r\n?|\n))*/.exec(source)?.[0] ?? "";
  const trail = current === "" ? "" : source.slice(source.trimEnd().length);
  const hasEnd = current === "" || /[\r\n]/.test(trail);
  const eol = lineEndOf(source);
  return wanted === "" ? lead : lead + fromLf(wanted, eol) + (hasEnd ? trail || eol : "");
}
