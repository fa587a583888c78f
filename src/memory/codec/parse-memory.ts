import { createHash } from "node:crypto";
import { type Problem, reportTo } from "../../machine/heed-error.ts";
import type { Memory } from "../memory.ts";
import { FIELD_NAMES, MEMORY_FIELDS } from "../memory-fields.ts";
import type { TypePolicy, TypeTable } from "../memory-type.ts";
import { freeName, slugOf } from "../handle.ts";
import { checkFields, heedType, readField, isLayerWord } from "./field-values.ts";
import type { FrontMatterSplit } from "./front-matter.ts";
import { canonicalBody, splitFrontMatter, lineOfKey, readFrontMatter } from "./front-matter.ts";
import { FieldReader } from "../../machine/read-fields.ts";
import { readSections, sectionLabel } from "./sections.ts";

interface MemoryPlace {
  file: string;
  /** Identity of the store: part of the derived id of a memory whose file gives none. */
  storeId: string;
  defaultType?: string;
}

export interface ParsedMemory {
  memory: Memory | undefined;
  problems: Problem[];
}

interface ReadFile {
  split: FrontMatterSplit;
  fields: FieldReader;
  problems: Problem[];
}

/** Reads one memory file forgivingly, fields of other tools included. Never throws; a file without memory yields an error. */
export function parseMemory(text: string, place: MemoryPlace, types: TypeTable): ParsedMemory {
  const { read, problems } = readFile(text, place);
  return read ? buildMemory(read, place, types) : { memory: undefined, problems };
}

function readFile(text: string, place: MemoryPlace): { read: ReadFile | undefined; problems: Problem[] } {
  const split = splitFrontMatter(text);
  const isEmpty = text.trim() === "";
  if (isEmpty || split.isUnclosed) {
    const [code = "", message = "", remedy = ""] = isEmpty
      ? ["empty-file", "it is empty", "write the memory into it"]
      : ["unclosed-front-matter", "the front matter is never closed", "add a line `---` after it"];
    const problem: Problem = { file: place.file, line: 1, severity: "error", code, message, remedy };
    return { read: undefined, problems: [problem] };
  }
  const { values, problems: found } = readFrontMatter(split);
  const problems = found.map((problem): Problem => ({ file: place.file, ...problem }));
  return { read: values && { split, fields: new FieldReader(values), problems }, problems };
}

function buildMemory(read: ReadFile, place: MemoryPlace, types: TypeTable): ParsedMemory {
  const { split, fields } = read;
  const problems = [...read.problems];
  const report = reportTo(problems, place.file);
  const body = canonicalBody(split.body);
  const name = slugOf(fields.text(...MEMORY_FIELDS.name.keys) ?? "") || nameFromFile(place.file);
  const type = readType(fields, place.file, types) ?? place.defaultType;
  const policy = types.get(type ?? "");
  const known = (): string =>
    types
      .all()
      .map((one) => one.name)
      .join(", ");
  if (type === undefined) {
    const message = "no type is given, and neither folder nor name implies one";
    report("error", "no-type", 1, message, `add \`metadata.type\`: one of ${known()}`);
  } else if (!policy) {
    const message = `type "${type.slice(0, 80)}" is not declared`;
    const remedy = `use one of ${known()}, or declare it with its policy in the store's config.yaml`;
    report("error", "unknown-type", lineOfKey(split, "type"), message, remedy);
  }
  const said = fields.text(...MEMORY_FIELDS.statement.keys);
  if (said === undefined) {
    const message = "missing `description`: search and the list use it";
    report("warning", "no-description", 1, message, "add `description`: what it says, in one line");
  }
  if (body === "") {
    const remedy = "write the memory below the front matter";
    report("warning", "empty-body", split.bodyLine, "the memory has no text", remedy);
  }
  checkFields(fields, (key, code, message, remedy) =>
    report("warning", code, lineOfKey(split, key), message, remedy),
  );
  problems.sort((a, b) => (a.line ?? 1) - (b.line ?? 1));
  const statement = said ?? firstLine(body) ?? fields.text("name", "title") ?? name.replaceAll("-", " ");
  const own = { id: fields.text("id") ?? derivedId(place), name, statement, type: type ?? "", body };
  return { memory: { ...readHeader(fields, policy), ...own }, problems };
}

const DEFAULTS = { confidence: "medium", source: "observed", status: "confirmed", salience: "medium" };

function readHeader(
  fields: FieldReader,
  policy: TypePolicy | undefined,
): Omit<Memory, "id" | "name" | "statement" | "type" | "body"> {
  const defaults: Record<string, unknown> = policy?.defaults ?? DEFAULTS;
  const header: Record<string, unknown> = {};
  for (const name of FIELD_NAMES) {
    const value = readField(fields, name) ?? defaults[name];
    if (value !== undefined) header[name] = value;
  }
  return header as unknown as Memory;
}

/** The type: what the file says, else the folder it lies in, else a prefix of its name (`feedback_x.md`). */
function readType(fields: FieldReader, file: string, types: TypeTable): string | undefined {
  const said = fields.text("type")?.toLowerCase();
  if (said !== undefined) return types.get(said) ? said : heedType(said);
  const known = (word: string): string | undefined =>
    types.get(word)?.name ?? types.get(heedType(word))?.name;
  const folders = file.split("/").slice(0, -1).reverse();
  const prefix = /^([a-z]+)[-_]/.exec(file.split("/").at(-1) ?? "")?.[1];
  const words = [...folders.map((folder) => folder.replace(/s$/, "")), ...folders, prefix ?? ""];
  const found = words.flatMap((word) => known(word) ?? [])[0];
  if (found !== undefined) return found;
  // bettermemory has no types: its memories carry scopes, and are facts, of the work or the user.
  if (fields.get("scopes") === undefined) return undefined;
  // What somebody said of no repository may be said of themselves: they are asked.
  const isPlaced =
    fields.get("origin") !== undefined || fields.list("scopes").some((one) => one.includes(":"));
  const isSaid = fields.text("source") === "explicit-statement" && !isPlaced;
  return fields.text("category") === "user-inference" || isSaid ? "user" : "project";
}

function nameFromFile(file: string): string {
  return slugOf((file.split("/").at(-1) ?? file).replace(/\.(md|markdown)$/i, "")) || "memory";
}

const MAX_LINE_CHARS = 160;

/** The first statement in one line of at most 160 characters: a heading or item, else the first sentence. */
function firstLine(body: string): string | undefined {
  const lines = body.slice(0, 4000).split("\n");
  const plain = (line: string): string =>
    line
      .replace(/^[#>*\-\s]+|[*_`]+/g, "")
      .replace(/\s+/g, " ")
      .trim();
  const start = lines.findIndex((line) => plain(line) !== "");
  const first = lines[start];
  if (first === undefined) return undefined;
  const isApart = (line: string | undefined): boolean =>
    line === undefined || plain(line) === "" || /^\s*(?:#|>|[*+-]\s|\d+[.)]\s|```)/.test(line);
  let text = plain(first);
  for (
    let i = start + 1;
    !/^\s*#/.test(first) && text.length < MAX_LINE_CHARS && !/[.!?:]$/.test(text) && !isApart(lines[i]);
    i++
  )
    text = `${text} ${plain(lines[i] ?? "")}`;
  if (text.length <= MAX_LINE_CHARS) return text;
  const sentence = /^.{20,159}?[.!?](?=\s)/.exec(text)?.[0];
  return sentence ?? text.slice(0, MAX_LINE_CHARS).trim();
}

/** A stable id for a memory whose file gives none: the same place in the same store has the same id on every run. */
function derivedId({ storeId, file }: MemoryPlace, section = ""): string {
  const place = `${storeId}\n${file}${section === "" ? "" : `\n${section}`}`;
  return `F${createHash("sha256").update(place).digest("hex").slice(0, 25).toUpperCase()}`;
}

type SectionedMemory = Memory & { section?: number };

export interface ParsedMemories {
  memories: SectionedMemory[];
  problems: Problem[];
}

const MAX_SECTIONS = 500;

interface FilePart {
  title: string;
  text: string;
  line: number;
}

/** Reads all memories of a file: one, or one a `##` section for collections of other tools, which are read-only. */
export function parseMemories(text: string, place: MemoryPlace, types: TypeTable): ParsedMemories {
  const { read, problems } = readFile(text, place);
  if (!read) return { memories: [], problems };
  const parts = isCollection(read) ? splitParts(read) : [];
  const isSplit = parts.length >= 2 && parts.every(({ title }) => sectionLabel(title) === undefined);
  const whole = buildMemory(read, place, types);
  // Plain markdown of no type is one note, whatever its headings.
  if (isSplit && (read.split.opening !== "" || readType(read.fields, place.file, types) !== undefined))
    return buildParts(whole, parts, place, types);
  return { memories: whole.memory ? [whole.memory] : [], problems: whole.problems };
}

function isCollection({ fields }: ReadFile): boolean {
  const type = fields.text("type") ?? "";
  // What was done in a session is one record, with what stands above its sections.
  if (isLayerWord(type)) return heedType(type) !== "episode";
  return fields.text("name") === undefined && fields.text("description", "summary") === undefined;
}

function buildParts(
  whole: ParsedMemory,
  parts: readonly FilePart[],
  place: MemoryPlace,
  types: TypeTable,
): ParsedMemories {
  // A section has its title; what the whole file lacks of its own is no fault.
  const problems = whole.problems.filter(({ code }) => code !== "no-description" && code !== "empty-body");
  if (!whole.memory) return { memories: [], problems };
  const report = reportTo(problems, place.file);
  const taken = new Set<string>();
  const memories: SectionedMemory[] = [];
  const beyond = parts[MAX_SECTIONS];
  if (beyond) {
    const message = `${parts.length} sections, the first ${MAX_SECTIONS} are read`;
    report("warning", "many-sections", beyond.line, message, "split the file");
  }
  for (const [section, part] of parts.slice(0, MAX_SECTIONS).entries()) {
    const solution = /^solution:\s*(.+)$/i.exec(part.title)?.[1];
    const title = solution ?? part.title;
    const made = slugOf(title) || `${whole.memory.name}-${section + 1}`;
    const name = freeName(made, (one) => taken.has(one));
    taken.add(name);
    if (part.text === "") {
      const message = `section "${title.slice(0, 80)}" has no text`;
      report("warning", "empty-body", part.line, message, "write the memory below its heading");
      continue;
    }
    const policy = types.get(solution === undefined ? whole.memory.type : "solution");
    memories.push({
      ...whole.memory,
      id: derivedId(place, name),
      name,
      statement: firstLine(readSections(part.text).statement) ?? title,
      type: policy?.name ?? whole.memory.type,
      trigger: [...whole.memory.trigger, ...triggersOf(part.text)],
      aliases: [title],
      body: part.text,
      section,
    });
  }
  return { memories, problems };
}

/** Cuts the text at its `##` headings, except those in code fences and HTML comments. */
function splitParts({ split }: ReadFile): FilePart[] {
  const parts: { title: string; lines: string[]; line: number }[] = [];
  let fence = "";
  let isComment = false;
  for (const [i, line] of split.body.split("\n").entries()) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && !isComment) {
      if (fence === "") fence = mark;
      else if (mark.startsWith(fence) && line.trim() === mark) fence = "";
    }
    const title = fence === "" && !isComment ? /^ {0,3}##[ \t]+(\S[^\n]{0,300})$/.exec(line)?.[1] : undefined;
    if (fence === "") isComment = endsInComment(line, isComment);
    if (title !== undefined)
      parts.push({ title: title.replace(/[ \t]+#+[ \t]*$/, "").trim(), lines: [], line: split.bodyLine + i });
    else parts.at(-1)?.lines.push(line);
  }
  return parts.map(({ title, lines, line }) => ({ title, text: canonicalBody(lines.join("\n")), line }));
}

function endsInComment(line: string, isComment: boolean): boolean {
  const open = line.lastIndexOf("<!--");
  const close = line.lastIndexOf("-->");
  return open === close ? isComment : open > close;
}

/** Claude Memory writes a solution's triggers as a line `**Trigger:** a, b`. */
function triggersOf(text: string): string[] {
  const line = /^(?:[-*] )?\*{0,2}triggers?:?\*{0,2}:?[ \t]*(.{1,500})$/im.exec(text)?.[1] ?? "";
  return line
    .split(",")
    .map((word) => word.replace(/[`*"[\]]/g, "").trim())
    .filter((word) => word !== "");
}
