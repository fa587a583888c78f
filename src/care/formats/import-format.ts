import { splitFrontMatter, readFrontMatter } from "../../memory/codec/front-matter.ts";
import { asRecord, normaliseTime } from "../../machine/read-fields.ts";
import type { Memory, MemoryDraft } from "../../memory/memory.ts";
import type { TypeTable } from "../../memory/memory-type.ts";

/** What somebody wants imported: a file, or a folder with its files. Reading is bounded, and follows no link out of bounds. */
export interface ForeignSource {
  /** Absolute. */
  readonly path: string;
  /** The path's last part. */
  readonly name: string;
  readonly isFile: boolean;
  /** Paths in the folder, with forward slashes, sorted; of a file its name alone. */
  readonly files: readonly string[];
  /** Links and the like that are not among the files, and why. */
  readonly passedOver: readonly LeftOutOfImport[];
  /** The text of one of the files, or why it cannot be read. */
  readonly read: (file: string) => { text: string } | { reason: string };
  /** The file that a line `@path` in one of the files names, where it may be read; else why not. */
  readonly include: (file: string, path: string) => { file: string } | { reason: string };
  /** Where a file is, as people say it: from the repository's root or the home on. */
  readonly placeOf: (file: string) => string;
  /**
   * Asks one of the files that is an SQLite database.
   *
   * @throws HeedError `invalid-input` where this Node has no SQLite, with the remedy.
   */
  readonly query: (file: string, sql: string) => Promise<Readonly<Record<string, unknown>>[]>;
}

/** One statement of another tool in heed's terms. */
export interface ForeignMemory {
  /** What tells it from all others of its source, the next time too: an id, or its place and text. */
  key: string;
  /** For people: a file, a record of it. */
  place: string;
  /** Where it is from, as its origin keeps it; default: the place. */
  from?: string;
  /** The heading above it. */
  section?: string;
  /** Its tool gives it to its agent only when that asks: it is no rule of every session. */
  isOnRequest?: boolean;
  /** Its file says that it always holds, or on paths. */
  isRule?: boolean;
  draft: Omit<MemoryDraft, "store">;
  /** ISO. */
  created?: string;
  /** The other tool's name of its project. */
  project?: string;
  /** What the source says in heed's own terms; goes before what the import would say. */
  own?: Partial<Pick<Memory, "scope" | "verified" | "decayAfter" | "origin">>;
  /** Of a memory that was heed's already, with the whole text of its file. */
  id?: string;
  text?: string;
}

/** What is in a source and is not taken. */
export interface LeftOutOfImport {
  place: string;
  what: string;
  reason: string;
}

/** All that was read of a source, and what of it is not taken, and why. */
export class ForeignReading {
  readonly memories: ForeignMemory[] = [];
  readonly leftOut: LeftOutOfImport[];
  readonly source: ForeignSource;
  readonly #seen = new Set<string>();

  constructor(source: ForeignSource) {
    this.source = source;
    this.leftOut = [...source.passedOver];
  }

  leave(place: string, what: string, reason: string): void {
    this.#seen.add(place);
    this.leftOut.push({ place, what: beginningOf(what), reason });
  }

  /** The text of a file; of one that cannot be read that is said. */
  text(file: string): string | undefined {
    this.#seen.add(file);
    const read = this.source.read(file);
    if ("text" in read) return read.text;
    this.leave(file, file, read.reason);
    return undefined;
  }

  query(file: string, sql: string): ReturnType<ForeignSource["query"]> {
    this.#seen.add(file);
    return this.source.query(file, sql);
  }

  /** Names the files that nobody looked at. */
  leaveRest(title: string): void {
    for (const file of this.source.isFile ? [] : this.source.files)
      if (!this.#seen.has(file) && !/(?:^|\/)\.[^/]*$/.test(file))
        this.leave(file, file, `not read as ${title}`);
  }
}

/** One way in which another tool keeps memories. Pure: the source reads. Of a statement without a type the user says what it is. */
export interface ImportFormat {
  /** Stable name; stands in the origin of what is imported. */
  readonly name: string;
  /** For people: the tool, and what of it. */
  readonly title: string;
  /** What a tool concluded by itself is provisional. */
  readonly isConcluded?: boolean;
  /** heed reads such a folder where it lies, too: `heed attach`. */
  readonly isAttachable?: boolean;
  /** The files belong to the repository that they lie in. */
  readonly isOfRepository?: boolean;
  recognise(source: ForeignSource): boolean;
  read(reading: ForeignReading, types: TypeTable): void | Promise<void>;
}

/** The beginning of a text, for a report. */
export function beginningOf(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= 80 ? line : `${line.slice(0, 79)}…`;
}

/** Undefined for what is no JSON. */
export function parseJson(text = ""): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}

/** Fields of another tool's record or front matter. */
export type Fields = Readonly<Record<string, unknown>>;

/** The text of a file of a source; empty for one that cannot be read. */
export function textIn(source: ForeignSource, file: string): string {
  const read = source.read(file);
  return "text" in read ? read.text : "";
}

/** A file's front matter as far as it can be read, what stands below it, and the number of lines above that. */
export function splitFile(text: string): { fields: Fields; body: string; line: number } {
  const split = splitFrontMatter(text);
  return { fields: readFrontMatter(split).values ?? {}, body: split.body, line: split.bodyLine - 1 };
}

/** The records of a list; empty for anything else. */
export function recordsOf(value: unknown): Fields[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  return items.map(asRecord).filter((record) => record !== undefined);
}

/** The first text among these fields, trimmed; numbers count as text. */
export function textOf(record: Fields, ...keys: string[]): string {
  for (const key of keys) {
    const value = record[key];
    if (typeof value === "string" && value.trim() !== "") return value.trim();
    if (typeof value === "number" || typeof value === "bigint") return String(value);
  }
  return "";
}

/** A list of texts: a list, a JSON list in a text, or words between commas. */
export function listOf(value: unknown): string[] {
  const text = typeof value === "string" ? value.trim() : "";
  const json = text.startsWith("[") ? parseJson(text) : undefined;
  const items: unknown = json ?? (text === "" ? value : text.split(","));
  return (Array.isArray(items) ? (items as unknown[]) : [])
    .flatMap((item) => (typeof item === "string" ? [item.trim()] : []))
    .filter((item) => item !== "");
}

/** The first that is an ISO date or time, or seconds or milliseconds since 1970, as ISO text. */
export function timeOf(...values: unknown[]): string | undefined {
  for (const value of values) {
    const number = typeof value === "bigint" ? Number(value) : value;
    const date =
      typeof number === "number" && number > 0 ? new Date(number < 1e11 ? number * 1000 : number) : undefined;
    if (date && !Number.isNaN(date.getTime())) return date.toISOString();
    const time = typeof number === "string" ? normaliseTime(number) : undefined;
    if (time !== undefined) return time;
  }
  return undefined;
}
