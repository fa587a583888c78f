import { isDeepStrictEqual } from "node:util";
import { HeedError } from "../../machine/heed-error.ts";
import type { Memory, MemoryHeader } from "../memory.ts";
import { MEMORY_FIELDS } from "../memory-fields.ts";
import { TypeTable } from "../memory-type.ts";
import { slugOf } from "../handle.ts";
import { type KeyPath, setYamlValue } from "./edit-yaml.ts";
import { isEmpty, TOP_LEVEL } from "./encode-memory.ts";
import { heedType, readField, RELATED_KEY } from "./field-values.ts";
import { canonicalBody, closeLine, fromLf, lineEndOf, splitSource, toLf, readYaml } from "./front-matter.ts";
import { BrokenYaml } from "./read-yaml.ts";
import { asRecord, FieldReader } from "../../machine/read-fields.ts";

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
