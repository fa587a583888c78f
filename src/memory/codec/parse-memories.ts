import { isLayerWord } from "./field-values.ts";
import { canonicalBody } from "./front-matter.ts";
import type { Memory } from "../memory.ts";
import type { TypeTable } from "../memory-type.ts";
import type { MemoryPlace, ReadFile } from "./parse-memory.ts";
import { buildMemory, derivedId, firstLine, readFile } from "./parse-memory.ts";
import type { Problem } from "../../errors/problem.ts";
import { readSections, sectionLabel } from "./sections.ts";
import { slugOf } from "../slug.ts";

/** A memory, and which part of the file it is when the file holds several (from 0). */
export type SectionedMemory = Memory & { section?: number };

/** Result of reading one file that may hold several memories. */
export interface ParsedMemories {
  memories: SectionedMemory[];
  problems: Problem[];
}

/** Sections beyond this many are not read. */
const MAX_SECTIONS = 500;

interface FilePart {
  title: string;
  text: string;
  /** 1-based line of the heading in the file. */
  line: number;
}

/**
 * Reads every memory of a file. Most files hold one. A file of another tool is read as one memory a `##` section, when
 * it has at least two of them, none of which is a label of a rule or solution (`## Why`), and either it says no name and
 * no description of its own, or its type is a layer (`procedural`, `semantic`, `episodic`) as Claude Memory keeps them. A
 * section `## Solution: <name>` is of type solution. Such memories are read-only: heed writes one file each.
 */
export function parseMemories(text: string, place: MemoryPlace, types: TypeTable): ParsedMemories {
  const { read, problems } = readFile(text, place);
  if (!read) return { memories: [], problems };
  const parts = isCollection(read) ? splitParts(read) : [];
  const isSplit = parts.length >= 2 && parts.every(({ title }) => sectionLabel(title) === undefined);
  if (!isSplit) {
    const { memory, problems: found } = buildMemory(read, place, types);
    return { memories: memory ? [memory] : [], problems: found };
  }
  return buildParts(read, parts, place, types);
}

/** Whether a file's front matter leaves room for several memories. */
function isCollection({ fields }: ReadFile): boolean {
  if (isLayerWord(fields.text("type") ?? "")) return true;
  return fields.text("name") === undefined && fields.text("description", "summary") === undefined;
}

function buildParts(
  read: ReadFile,
  parts: readonly FilePart[],
  place: MemoryPlace,
  types: TypeTable,
): ParsedMemories {
  const whole = buildMemory(read, place, types);
  // A section has its title; what the whole file lacks of its own is no fault.
  const problems = whole.problems.filter(({ code }) => code !== "no-description" && code !== "empty-body");
  if (!whole.memory) return { memories: [], problems };
  const taken = new Set<string>();
  const memories: SectionedMemory[] = [];
  if (parts.length > MAX_SECTIONS) {
    problems.push({
      file: place.file,
      line: parts[MAX_SECTIONS]?.line ?? 1,
      severity: "warning",
      code: "many-sections",
      message: `${parts.length} sections, the first ${MAX_SECTIONS} are read`,
      remedy: "split the file",
    });
  }
  for (const [section, part] of parts.slice(0, MAX_SECTIONS).entries()) {
    const solution = /^solution:\s*(.+)$/i.exec(part.title)?.[1];
    const title = solution ?? part.title;
    const name = freeName(slugOf(title) || `${whole.memory.name}-${section + 1}`, taken);
    if (part.text === "") {
      problems.push({
        file: place.file,
        line: part.line,
        severity: "warning",
        code: "empty-body",
        message: `section "${title.slice(0, 80)}" has no text`,
        remedy: "write the memory below its heading",
      });
      continue;
    }
    const policy = types.get(solution === undefined ? whole.memory.type : "solution");
    memories.push({
      ...whole.memory,
      id: derivedId(place, name),
      name,
      description: firstLine(readSections(part.text).statement) ?? title,
      type: policy?.name ?? whole.memory.type,
      trigger: [...whole.memory.trigger, ...triggersOf(part.text)],
      aliases: [title],
      body: part.text,
      section,
    });
  }
  return { memories, problems };
}

/** Cuts the text at its `##` headings; those in code fences and HTML comments are none. */
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

function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let i = 2; taken.has(free); i++) free = `${name}-${i}`;
  taken.add(free);
  return free;
}
