import type { ActorKind } from "../../memory/actor.ts";

/** A file of a change by the ids of its texts (git's blob ids); null: the file is not there. */
export interface FileSides {
  file: string;
  before: string | null;
  after: string | null;
}

/** One change in the history of a store, wherever it is recorded. */
export interface HistoryEntry {
  /** Forty hex digits: the commit, or made from the id of the journal's record. */
  id: string;
  /** The id of the journal's record, also where the change is a commit by now; undefined for a change not of heed's. */
  record: string | undefined;
  /** ISO time. */
  time: string;
  /** Who acted, in a few words: `claude-code (model)`. */
  actor: string;
  /** As what they acted; undefined for a change not of heed's. */
  by: ActorKind | undefined;
  /** The session in which it was made; undefined where none is known. */
  session: string | undefined;
  summary: string;
  files: FileSides[];
  /** The changes that it takes back: ids of records or commits, with a blank between them. */
  undoes: string | undefined;
  /** It brings two histories together. */
  isMerge: boolean;
  /** Recorded by heed for this store, so that it can be taken back here. */
  isOwn: boolean;
}
