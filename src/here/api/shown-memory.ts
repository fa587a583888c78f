import type { HeedErrorCode } from "../../machine/heed-error.ts";
import type { Actor, MemoryMetadata, Status, StoreRef } from "../../memory/memory.ts";
import type { Mode } from "../../store/config/store-config.ts";
import type { Signals, Standing, Verdict } from "../../freshness/verdict.ts";

/** Which memories are asked for. An absent field does not restrict. */
export interface MemoryFilter {
  types?: readonly string[];
  /** Memories that carry all of these tags. */
  tags?: readonly string[];
  statuses?: readonly Status[];
  /** Store kinds or ids. */
  stores?: readonly string[];
  /** ISO date or time: created or updated at or after it. */
  since?: string;
  /** ISO date or time: created or updated before it. */
  until?: string;
  /**
   * Leave out what belongs to another repository or branch than the one at hand. Default true; false searches all
   * (`auto_scope: false`).
   */
  isScopedHere?: boolean;
}

/** A memory as it is shown: without secrets, and with what keeps it from counting. */
export interface ShownMetadata extends MemoryMetadata {
  /** Why it is data and no rule here; absent for what counts as what it is. */
  whyData?: string;
  /** The handle of the memory that took its place. */
  supersededBy?: string;
  /** How fresh it is; absent where there was no time to look. */
  signals?: Signals;
}

/** A memory in a line: what it is, how fresh it is, and what became of it in the work. */
export interface MemorySummary {
  id: string;
  name: string;
  type: string;
  description: string;
  tags: readonly string[];
  status: Status;
  /** The kind of the store that holds it. */
  store: StoreRef["kind"];
  /** ISO times. */
  created?: string;
  updated?: string;
  /** Absent when there was no time to look, and of one whose text is quarantined. */
  standing?: Standing;
  /** What is known against it: what moved, changed, is missing or has expired. Absent where nothing is. */
  known?: string;
  /** How often it was told, in any form but its line in the map, as far as receipts are kept. */
  injected: number;
  /** ISO time. */
  lastInjected?: string;
  /** How often it was cited, found by a search, or opened. */
  used: number;
  hasGuard: boolean;
  /** Why it is data and no rule here; absent for what counts as what it is. */
  whyData?: string;
}

/** What can change while one looks: memories, the inbox, what was injected, settings and trust. */
export type WatchedPart = "memories" | "inbox" | "injected" | "settings";

/** A search. */
export interface SearchRequest extends MemoryFilter {
  /** Words, `"phrases"` and `prefixes*`; at least one. */
  query: string;
  /** At most this many hits; default 10, 100 at most. */
  limit?: number;
  /** List the score terms of each hit. Default false. */
  isExplained?: boolean;
  /** Who asks: what is found counts as used. Default: nobody. */
  reader?: Actor | undefined;
}

/** One part of a hit's score. */
export interface ScoreTerm {
  term: string;
  field: string;
  /** How often the term is in the field. */
  frequency: number;
  idf: number;
  contribution: number;
}

export interface SearchHit {
  metadata: ShownMetadata;
  /** BM25F score; comparable within one answer only. */
  score: number;
  /** The best-matching passage, at most 300 characters. */
  snippet: string;
  terms?: ScoreTerm[];
  /** How fresh it is; what git knows is in it as far as it was asked before. */
  verdict: Verdict;
}

export interface SearchAnswer {
  hits: SearchHit[];
  /** How many memories the search was over, after scope and filters are left aside. */
  collectionSize: number;
  /** The deadline cut the search: the answer may lack hits. */
  isCut: boolean;
  /** Answered from an index, or by scanning the files. */
  source: "index" | "scan";
}

/** How a memory is shown. */
export interface ShowOptions {
  /** Kind or id of the store that holds it; default: any. */
  store?: string | undefined;
  /** Who reads: what is opened counts as used, and one that is quarantined is shown in full to a person alone. Default: nobody. */
  reader?: Actor | undefined;
}

/** A memory in full. */
export interface ShownMemory {
  metadata: ShownMetadata;
  body: string;
  store: StoreRef;
  /** Absolute path of the file. */
  path: string;
  /** Where it holds, in words: `everywhere`, a repository, a branch, paths. */
  holdsIn: string;
  /** Why it is or is not in force here, in words: untrusted store, superseded, expired, other repository, pending. */
  notes: string[];
  /** How fresh it is, with the evidence; absent for one that waits in the inbox. */
  verdict?: Verdict;
  /** Whether it waits in the inbox for the user's word. */
  isPending: boolean;
  /** It says what only the user can say, and they have not, or rejected it: what its file says of its standing is another's. */
  isUnsaid?: true;
  /** Its text is quarantined from this reader: body and description say only that. */
  isQuarantined?: boolean;
}

/** The file of a memory. */
export interface ShownFile {
  /** Absolute path. */
  path: string;
  /** As it is, but without secrets. */
  text: string;
}

/** Counts without bodies: tells a model whether there is anything to ask for. */
export interface Overview {
  total: number;
  byType: Record<string, number>;
  byStore: { store: StoreRef; total: number }[];
  /** Memories per tag, the twenty most frequent. */
  byTag: Record<string, number>;
  pending: number;
  mode: Mode;
  /** The repository at hand, as scopes name it. */
  repository: string | undefined;
}

/** Several memories at once. */
export interface ShownMemories {
  memories: ShownMemory[];
  /** The handles that could not be shown, with the code of the error and its words. */
  notShown: { handle: string; code: HeedErrorCode; message: string }[];
}
