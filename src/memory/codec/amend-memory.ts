import { isDeepStrictEqual } from "node:util";
import { HeedError } from "../../machine/heed-error.ts";
import type { Link, Memory, MemoryHeader } from "../memory.ts";
import { MEMORY_FIELDS } from "../memory-fields.ts";
import { TypeTable } from "../memory-type.ts";
import { slugOf } from "../handle.ts";
import { type KeyPath, deleteYamlKey, setYamlValue } from "./edit-yaml.ts";
import { isEmpty, TOP_LEVEL } from "./encode-memory.ts";
import { heedType, linksIn, readField, RELATED_KEY } from "./field-values.ts";
import { canonicalBody, closeLine, fromLf, lineEndOf, splitSource, toLf, readYaml } from "./front-matter.ts";
import { BrokenYaml, openYaml } from "./read-yaml.ts";
import { asRecord, FieldReader, own } from "../../machine/read-fields.ts";

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
    throw error instanceof BrokenYaml ? broken(error.message, error) : error;
  }
}

function amendField(yaml: string, field: keyof MemoryHeader, value: unknown): string {
  const { kind, parts } = MEMORY_FIELDS[field];
  if (kind === "links") return amendLinks(yaml, Array.isArray(value) ? (value as Link[]) : []);
  if (isEmpty(value) || (parts !== undefined && Object.values(value as object).every(isEmpty)))
    return removeField(yaml, field);
  const frontMatter = readYaml(yaml).values;
  if (holds(frontMatter, field, value)) return yaml;
  const keys = placeOf(frontMatter, field);
  const current = asRecord(new FieldReader(frontMatter).get(...MEMORY_FIELDS[field].keys));
  const wanted = asRecord(value);
  const edited =
    current && wanted
      ? amendMap(yaml, keys, { current, wanted, parts })
      : setYamlValue(yaml, keys, wanted && parts ? withoutEmpty(wanted) : value);
  return isReadBack(edited, field, value) ? edited : reprint(yaml, keys, value);
}

/** Removes a field under every name and level: what one hides must not show through when it is gone. */
function removeField(yaml: string, field: keyof MemoryHeader): string {
  let text = yaml;
  for (let round = 0; round < 8; round++) {
    const frontMatter = readYaml(text).values;
    if (new FieldReader(frontMatter).get(...MEMORY_FIELDS[field].keys) === undefined) break;
    const keys = placeOf(frontMatter, field);
    const edited = deleteYamlKey(text, keys);
    text = edited === text ? reprint(text, keys, undefined) : edited;
  }
  return text;
}

/** Changes the parts of a map one by one: of a `scope` or `origin` those that are heed's, of a guard all. */
function amendMap(
  yaml: string,
  keys: KeyPath,
  map: {
    current: Record<string, unknown>;
    wanted: Record<string, unknown>;
    parts: readonly string[] | undefined;
  },
): string {
  const { current, wanted, parts } = map;
  let text = yaml;
  for (const part of parts ?? new Set([...Object.keys(current), ...Object.keys(wanted)])) {
    const hasGlobs = part === "paths" && !Object.hasOwn(current, part) && Object.hasOwn(current, "globs");
    const key = parts && hasGlobs ? "globs" : part;
    const [was, value] = [own(current, key), own(wanted, part)];
    if (JSON.stringify(was) === JSON.stringify(value)) continue;
    if (parts ? !isEmpty(value) : value !== undefined) text = setYamlValue(text, [...keys, key], value);
    else if (Object.hasOwn(current, key)) text = deleteYamlKey(text, [...keys, key]);
  }
  return text;
}

/** Links are in `links`, except for those that another tool keeps as a list of related names. */
function amendLinks(yaml: string, links: readonly Link[]): string {
  const frontMatter = readYaml(yaml).values;
  const fields = new FieldReader(frontMatter);
  if (isDeepStrictEqual(readField(fields, "links"), links)) return yaml;
  const related = fields.list(RELATED_KEY);
  const kept = related.filter((to) => links.some((link) => link.rel === "related" && link.to === to));
  let text = yaml;
  if (kept.length < related.length) {
    const keys = findKey(frontMatter, [RELATED_KEY]) ?? [RELATED_KEY];
    text = kept.length === 0 ? deleteYamlKey(text, keys) : setYamlValue(text, keys, kept);
  }
  const heeds = links
    .filter((link) => !(link.rel === "related" && kept.includes(link.to)))
    .map(({ rel, to }) => ({ rel, to }));
  if (isDeepStrictEqual(linksIn(fields), heeds)) return text;
  return heeds.length === 0
    ? removeField(text, "links")
    : setYamlValue(text, placeOf(readYaml(text).values, "links"), heeds);
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

function isReadBack(yaml: string, field: keyof MemoryHeader, value: unknown): boolean {
  try {
    return holds(readYaml(yaml).values, field, value);
  } catch {
    return false;
  }
}

/** The last resort for YAML too odd to edit in place: printed again: comments and order kept, blanks and quotes not. */
function reprint(yaml: string, keys: KeyPath, value: unknown): string {
  const document = openYaml(yaml);
  if (value === undefined) document.deleteIn(keys);
  else document.setIn(keys, document.createNode(value, { flow: true }));
  return document.toString({ lineWidth: 0 });
}

/** The path of a field: where the reader finds it, else where it is empty, else where heed would put it. */
function placeOf(frontMatter: Record<string, unknown>, field: keyof MemoryHeader): KeyPath {
  const { keys } = MEMORY_FIELDS[field];
  const metadata = frontMatter["metadata"] ?? {};
  const isBeside = TOP_LEVEL.has(field) || asRecord(metadata) === undefined;
  return findKey(frontMatter, keys) ?? (isBeside ? [keys[0]] : ["metadata", keys[0]]);
}

function findKey(frontMatter: Record<string, unknown>, keys: readonly string[]): KeyPath | undefined {
  const names = keys.flatMap((key) => [...new Set([key, key.replaceAll("_", "-")])]);
  const metadata = asRecord(frontMatter["metadata"]) ?? {};
  const places = [
    ...names.map((key) => ({ path: ["metadata", key] as KeyPath, level: metadata, key })),
    ...names.map((key) => ({ path: [key] as KeyPath, level: frontMatter, key })),
  ].filter(({ level, key }) => Object.hasOwn(level, key));
  return (places.find(({ level, key }) => level[key] !== null) ?? places[0])?.path;
}

function broken(what: string, cause?: unknown): HeedError {
  const message = `the front matter cannot be edited: ${what}. Fix the file by hand first (heed check names the line)`;
  return new HeedError("broken-file", message, {}, { cause });
}

function withoutEmpty(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => !isEmpty(value)));
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
