import { isDeepStrictEqual } from "node:util";
import { parseDocument } from "yaml";
import type { KeyPath } from "./edit-yaml.ts";
import { deleteYamlKey, setYamlValue } from "./edit-yaml.ts";
import type { FieldName } from "./field-keys.ts";
import { FIELD_KEYS, RELATED_KEY } from "./field-keys.ts";
import { heedType, readConfidence, readSource, readStatus } from "./foreign-words.ts";
import { splitSource, toLf } from "./front-matter.ts";
import { HeedError } from "../../errors/heed-error.ts";
import type { Link, Memory } from "../memory.ts";
import { TypeTable } from "../memory-type.ts";
import { readPlainYaml } from "./plain-yaml.ts";
import { asRecord, FieldReader, readLinks, readOrigin, readScope } from "./read-fields.ts";
import { BrokenYaml } from "./broken-yaml.ts";
import { readYaml } from "./read-front-matter.ts";
import { slugOf } from "../slug.ts";
import { canonicalBody } from "./front-matter.ts";

/** What an amendment changes: absent fields stay as they are, `null` and empty lists remove the key. */
export type MemoryAmendment = { [K in keyof Memory]?: Memory[K] | null };

/** The built-in types: a default that everybody knows need not be written. */
const TYPES = new TypeTable();

/** Keys that stand beside `metadata`, not in it, when an amendment adds them. */
const TOP_LEVEL: readonly FieldName[] = ["name", "description"];

/**
 * Edits the text of a memory's file. Whatever the changes do not concern keeps every character: unknown keys, order,
 * comments, quotes, line ends, byte order mark, and the level and name of each key (`scopes` of bettermemory stays
 * `scopes`). Keys that the file lacks are added under `metadata`. Without changes the text comes back as it was.
 *
 * @throws HeedError `broken-file` when the front matter cannot be read; `invalid-input` when a field is none.
 */
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
  const readableYaml = readable(source);
  let yaml = readableYaml;
  for (const [field, value] of entries) {
    if (!Object.hasOwn(FIELD_KEYS, field)) {
      throw new HeedError("invalid-input", `a memory has no field "${field}"`, { argument: field, value });
    }
    try {
      yaml = amendField(yaml, field as FieldName, value);
    } catch (error) {
      throw error instanceof BrokenYaml ? broken(error.message, error) : error;
    }
  }
  return yaml === readableYaml ? source : yaml;
}

function amendField(yaml: string, field: FieldName, value: unknown): string {
  if (field === "links") return amendLinks(yaml, Array.isArray(value) ? (value as Link[]) : []);
  if (isEmpty(value) || (field !== "guard" && isEmptyRecord(value))) return removeField(yaml, field);
  const frontMatter = readValues(yaml);
  if (holds(frontMatter, field, value)) return yaml;
  const keys = placeOf(frontMatter, field);
  const current = asRecord(new FieldReader(frontMatter).get(...FIELD_KEYS[field]));
  const wanted = asRecord(value);
  const edited =
    current && wanted
      ? amendMap(yaml, field, keys, current, wanted, partsOf(field, current, wanted))
      : setYamlValue(yaml, keys, wanted && field !== "guard" ? withoutEmpty(wanted) : value);
  return isReadBack(edited, field, value) ? edited : reprint(yaml, keys, value);
}

/** Removes a field under every name and level it stands at: what one hides must not show through when it is gone. */
function removeField(yaml: string, field: FieldName): string {
  let text = yaml;
  for (let round = 0; round < 8; round++) {
    const frontMatter = readValues(text);
    if (new FieldReader(frontMatter).get(...FIELD_KEYS[field]) === undefined) break;
    const keys = placeOf(frontMatter, field);
    const edited = deleteYamlKey(text, keys);
    text = edited === text ? reprint(text, keys, undefined) : edited;
  }
  return text;
}

function amendMap(
  yaml: string,
  field: FieldName,
  keys: KeyPath,
  current: Record<string, unknown>,
  wanted: Record<string, unknown>,
  parts: readonly string[],
): string {
  let text = yaml;
  for (const part of parts) {
    const key =
      part === "paths" && !Object.hasOwn(current, "paths") && Object.hasOwn(current, "globs")
        ? "globs"
        : part;
    const value = own(wanted, part);
    if (JSON.stringify(own(current, key)) === JSON.stringify(value)) continue;
    if (!isEmpty(value) || (field === "guard" && value !== undefined))
      text = setYamlValue(text, [...keys, key], value);
    else if (Object.hasOwn(current, key)) text = deleteYamlKey(text, [...keys, key]);
  }
  return text;
}

function own(record: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** The parts of a map that an amendment speaks for; others are somebody else's and stay. */
function partsOf(
  field: FieldName,
  current: Record<string, unknown>,
  wanted: Record<string, unknown>,
): readonly string[] {
  if (field === "scope") return ["repo", "branch", "paths"];
  if (field === "origin") return ["repo", "branch", "commit", "session", "client", "actor", "door"];
  return [...new Set([...Object.keys(current), ...Object.keys(wanted)])];
}

/** Links stand in `links`, except for those that another tool keeps as a list of related names. */
function amendLinks(yaml: string, links: readonly Link[]): string {
  const frontMatter = readValues(yaml);
  const fields = new FieldReader(frontMatter);
  const related = fields.list(RELATED_KEY);
  if (isDeepStrictEqual(readLinks(fields.get(...FIELD_KEYS.links), related), links)) return yaml;
  const isKept = (to: string): boolean => links.some((link) => link.rel === "related" && link.to === to);
  const kept = related.filter(isKept);
  let text = yaml;
  if (kept.length < related.length) {
    const keys = findKey(frontMatter, [RELATED_KEY]) ?? [RELATED_KEY];
    text = kept.length === 0 ? deleteYamlKey(text, keys) : setYamlValue(text, keys, kept);
  }
  const own = links.filter((link) => !(link.rel === "related" && kept.includes(link.to)));
  if (isDeepStrictEqual(readLinks(fields.get(...FIELD_KEYS.links), []), own)) return text;
  if (own.length === 0) return removeField(text, "links");
  const keys = placeOf(readValues(text), "links");
  const plain = own.map(({ rel, to }) => ({ rel, to }));
  return setYamlValue(text, keys, plain);
}

/** Whether the front matter already says this, in whatever words. */
function holds(frontMatter: Record<string, unknown>, field: FieldName, value: unknown): boolean {
  const fields = new FieldReader(frontMatter);
  const keys = FIELD_KEYS[field];
  const raw = fields.get(...keys);
  if (raw === undefined) {
    const session = fields.text("originSessionId");
    const defaults = TYPES.get(heedType(fields.text("type") ?? ""))?.defaults;
    if (defaults && Object.hasOwn(defaults, field)) return defaults[field as keyof typeof defaults] === value;
    return (
      field === "origin" && session !== undefined && isDeepStrictEqual(readOrigin(undefined, session), value)
    );
  }
  if (Array.isArray(value)) return isDeepStrictEqual(fields.list(...keys), value);
  const text = typeof value === "string" ? foldBlanks(value) : value;
  switch (field) {
    case "scope":
      return isDeepStrictEqual(readScope(raw), value);
    case "origin":
      return isDeepStrictEqual(readOrigin(raw, fields.text("originSessionId")), value);
    case "guard":
      return isDeepStrictEqual(raw, value);
    case "name":
      return fields.text(...keys) === text || slugOf(fields.text(...keys) ?? "") === text;
    case "source":
      return readSource(fields) === text;
    case "type":
      return heedType(fields.text(...keys) ?? "") === text;
    case "confidence":
      return readConfidence(fields) === text;
    case "status":
      return readStatus(fields) === text;
    case "salience":
      return fields.text(...keys)?.toLowerCase() === text;
    case "created":
    case "updated":
    case "verified":
    case "expires":
    case "decayAfter":
      return fields.time(...keys) === value;
    default:
      return fields.text(...keys) === text;
  }
}

function isReadBack(yaml: string, field: FieldName, value: unknown): boolean {
  try {
    return holds(readValues(yaml), field, value);
  } catch {
    return false;
  }
}

/** The last resort for YAML too odd to edit in place: printed anew, comments and order kept, blanks and quotes not. */
function reprint(yaml: string, keys: KeyPath, value: unknown): string {
  const document = parseDocument(yaml, { uniqueKeys: false, logLevel: "silent" });
  if (value === undefined) document.deleteIn(keys);
  else document.setIn(keys, document.createNode(value, { flow: true }));
  return document.toString({ lineWidth: 0 });
}

/** The path of a field: where the reader finds it, else where it stands empty, else where heed would put it. */
function placeOf(frontMatter: Record<string, unknown>, field: FieldName): KeyPath {
  const found = findKey(frontMatter, FIELD_KEYS[field]);
  if (found) return found;
  const [key] = FIELD_KEYS[field];
  const metadata = frontMatter["metadata"];
  const takesKeys = metadata === undefined || metadata === null || asRecord(metadata) !== undefined;
  return TOP_LEVEL.includes(field) || !takesKeys ? [key] : ["metadata", key];
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

/** The front matter as the reader takes it: where that needed a repair, the amended file has it repaired. */
function readable(source: string): string {
  if (readPlainYaml(source)) return source;
  try {
    const { yaml, isMap } = readYaml(source);
    if (isMap || yaml.trim() === "") return yaml;
    throw new BrokenYaml(0, "it is a text or a list, not keys with values");
  } catch (error) {
    throw broken(error instanceof BrokenYaml ? error.message : String(error), error);
  }
}

function readValues(yaml: string): Record<string, unknown> {
  return readPlainYaml(yaml) ?? readYaml(yaml).values;
}

function broken(what: string, cause?: unknown): HeedError {
  return new HeedError(
    "broken-file",
    `the front matter cannot be edited: ${what}. Mend the file by hand first (heed check names the line)`,
    {},
    { cause },
  );
}

function closeLine(yaml: string): string {
  return yaml === "" || yaml.endsWith("\n") ? yaml : `${yaml}\n`;
}

function foldBlanks(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

function isEmptyRecord(value: unknown): boolean {
  const record = asRecord(value);
  return record !== undefined && Object.values(record).every(isEmpty);
}

function withoutEmpty(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => !isEmpty(value)));
}

/** The text of a memory with another body; blank lines around it and line ends stay as they were. */
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

/** The line end that most lines of a text have. */
function lineEndOf(text: string): string {
  const crlf = text.split("\r\n").length - 1;
  const lf = text.split("\n").length - 1 - crlf;
  const cr = text.split("\r").length - 1 - crlf;
  if (crlf > lf && crlf >= cr) return "\r\n";
  return cr > lf ? "\r" : "\n";
}

/** A text of line feeds with another line end. */
function fromLf(text: string, eol: string): string {
  return eol === "\n" ? text : text.replaceAll("\n", eol);
}
