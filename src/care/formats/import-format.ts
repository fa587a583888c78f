import type { Memory, MemoryDraft, Origin, Scope } from "../../memory/memory.ts";
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
  readonly passedOver: readonly { place: string; reason: string }[];
  /** The text of one of the files; undefined when it cannot be read (see `whyUnread`). */
  readonly read: (file: string) => string | undefined;
  readonly whyUnread: (file: string) => string;
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
  draft: Omit<MemoryDraft, "store">;
  /** ISO. */
  created?: string;
  /** The other tool's name of its project. */
  project?: string;
  /** What the source says in heed's own terms; goes before what the import would say. */
  scope?: Scope;
  origin?: Origin;
  dates?: Partial<Pick<Memory, "verified" | "decayAfter">>;
  /** Of a memory that was heed's already, with the whole text of its file. */
  id?: string;
  text?: string;
}

/** All that was read of a source, and what of it is not taken, and why. */
export interface ForeignReading {
  memories: ForeignMemory[];
  leftOut: { place: string; what: string; reason: string }[];
}

/** Who wrote a source. A `person`'s rules are their word once they import them; what a `tool` concluded is provisional. */
export type ForeignAuthor = "person" | "model" | "tool";

/** One way in which another tool keeps memories. Pure: the source reads. Of a statement without a type the user says what it is. */
export interface ImportFormat {
  /** Stable name; stands in the origin of what is imported. */
  readonly name: string;
  /** For people: the tool, and what of it. */
  readonly title: string;
  readonly author: ForeignAuthor;
  /** heed reads such a folder where it lies, too: `heed attach`. */
  readonly isAttachable?: boolean;
  /** The files belong to the repository that they lie in. */
  readonly isOfRepository?: boolean;
  recognise(source: ForeignSource): boolean;
  read(source: ForeignSource, types: TypeTable): ForeignReading | Promise<ForeignReading>;
}

/** Leaves something out of a reading, and says why. */
export function leaveOut(reading: ForeignReading, place: string, what: string, reason: string): void {
  reading.leftOut.push({ place, what: beginningOf(what), reason });
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
