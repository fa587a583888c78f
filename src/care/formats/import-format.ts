import type { Memory, MemoryDraft, Origin, Removal, Scope } from "../../memory/memory.ts";
import type { TypeTable } from "../../memory/memory-type.ts";

/** A row of a database: its columns by name. */
export type Row = Readonly<Record<string, unknown>>;

/** What somebody wants imported: a file, or a folder with its files. Reading is bounded and follows no link. */
export interface ForeignSource {
  /** Absolute path. */
  readonly path: string;
  /** The path's last part. */
  readonly name: string;
  readonly isFile: boolean;
  /** Paths relative to the folder, with forward slashes, sorted; of a file its name alone. */
  readonly files: readonly string[];
  /** The text of one of the files; undefined when it cannot be read, is too large, or is no text. */
  read(file: string): string | undefined;
  /**
   * Asks one of the files that is an SQLite database.
   *
   * @throws HeedError `invalid-input` where this Node has no SQLite, with the remedy.
   */
  query(file: string, sql: string): Promise<Row[]>;
}

/** One statement of another tool, as it stands there, in heed's terms. */
export interface ForeignMemory {
  /** What tells it from all others of its source, the next time too: an id, or its place and text. */
  key: string;
  /** Where it stands, for people: a file, a record of it. */
  place: string;
  draft: Omit<MemoryDraft, "store">;
  /** Time of its making, ISO. */
  created?: string;
  /** The other tool's name of the project that it belongs to; absent: it names none. */
  project?: string;
  /** What the source says of scope and origin in heed's own terms; goes before what the import would say. */
  scope?: Scope;
  origin?: Origin;
  /** When it was checked there last, and when it was to leave. */
  dates?: Partial<Pick<Memory, "verified" | "decayAfter">>;
  /** It was removed there: it comes in as a tombstone, so that it is known as removed here too. */
  removal?: Removal;
  /** A memory that was heed's already keeps its id, and all that its file says besides (comments, unknown keys). */
  id?: string;
  text?: string;
}

/** What of a source is not taken, and why. */
export interface LeftOut {
  place: string;
  /** The beginning of it. */
  what: string;
  reason: string;
}

/** All that was read of a source. */
export interface ForeignReading {
  memories: ForeignMemory[];
  leftOut: LeftOut[];
}

/**
 * Who wrote what a source holds. A `person`'s rules are their word once they import them; what an agent (`model`) noted
 * passes the gates as an import; what a `tool` made of transcripts by itself is provisional and of low confidence.
 */
export type ForeignAuthor = "person" | "model" | "tool";

/** One way in which another tool keeps memories. Pure: the source reads. */
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

/** Why records of sessions are left out. */
export const IS_SESSION = "the record of one session: sessions are searched where they are kept";

/** The beginning of a text, for a report. */
export function beginningOf(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= 80 ? line : `${line.slice(0, 79)}…`;
}

/** The files of a source below a folder, by the end of their names. */
export function filesIn(source: ForeignSource, folder: string, ending: string): string[] {
  const prefix = folder === "" ? "" : `${folder}/`;
  return source.files.filter((file) => file.startsWith(prefix) && file.toLowerCase().endsWith(ending));
}

/** The JSON of a file; undefined when it is not JSON. */
export function readJson(source: ForeignSource, file: string): unknown {
  const text = source.read(file);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}
