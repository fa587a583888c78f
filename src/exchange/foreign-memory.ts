import type { MemoryDraft } from "../memory/memory-draft.ts";
import type { Origin, Scope } from "../memory/memory.ts";

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
