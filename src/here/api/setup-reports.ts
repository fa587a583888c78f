import type { Mode } from "../../store/config/store-config.ts";
import type { PolicyWrites } from "../../store/config/policy.ts";
import type { StoreRef } from "../../memory/memory.ts";
import type { EventReport } from "./session-events.ts";

/** Where a mode holds. */
export type ModePlace = "user" | "project" | { session: string };

/** What a scrub found, and what it did. */
export interface ScrubReport {
  /** False: nothing was changed, this is what would be. */
  isApplied: boolean;
  /** Files that held the value before, with how often. */
  files: {
    path: string;
    occurrences: number;
    /** The name of the file or of a folder holds it. */
    isInName: boolean;
    /** It belongs to another tool, and heed may not write there: it is left as it is. */
    isReadOnly: boolean;
  }[];
  /** Folders of search indexes: removed whole, since they come back by themselves. */
  indexes: string[];
  /** Files that still hold the value afterwards: read-only ones. Empty in a dry run. */
  left: string[];
  /** Git repositories whose history holds the value, or may. */
  histories: {
    repository: string;
    /** False: the history was too large to search, or git is missing. */
    isCertain: boolean;
    /** What rewrites the history: not run by heed, as it changes every commit for everybody who has a clone. */
    commands: string[];
  }[];
}

/** One memory of a review: a rule or guard that takes force by a trust or changes what is in force, or a fact that came. */
export interface TrustEntry {
  name: string;
  /** Relative to the store's root; of the report on a diff, to the repository's. */
  file: string;
  type: string;
  description: string;
  change: "new" | "changed" | "removed";
  /** It is told and stops nothing. One of a repository's store is told before the review too, as data. */
  isFact: boolean;
  /** What its guards stop, in words, and what they stopped before and will not stop any more. */
  guards: string[];
  stopsNoMore: string[];
  /** A guard of it cannot be read: it does nothing. */
  hasUnreadableGuard: boolean;
  /** The whole file; of a removed rule the text that was approved. */
  text: string;
  /** For a changed one: against the approved text, which stays in force until the review. */
  diff?: string;
  /** What its text does that no memory has to: it is told only after `heed inbox confirm`, trusted or not. */
  flags: readonly string[];
  /** heed wrote this very text, and nobody else ever changed the file: by the history of the user's own store. */
  isAccounted: boolean;
}

/** What `heed trust` shows. */
export interface TrustReview {
  store: StoreRef;
  /** Rules and guards first. */
  entries: TrustEntry[];
  /** What they are, in words: `2 rules, 1 fact`. */
  says: string;
  /** What was changed outside heed of that which decides what is in force: a trust takes changed settings over. */
  changed: string[];
  /** Approved rules whose file is broken, with line and remedy: they stay in force, and no trust forgets them. */
  unreadable: string[];
  /** How many rules and guards of the store are approved as they are. */
  inForce: number;
  /** For `trust`: what was shown is what is approved. */
  token: string;
}

export interface StatusReport {
  version: string;
  mode: Mode;
  /** Who may write here: the session's model, the model with the user's approval each time, the user alone, or nobody. */
  writes: PolicyWrites;
  /** As in `ClientMemoryReport`. */
  writer: ClientMemoryReport["writer"];
  /** The organisation's policy, where there is one, and what it says on one line: `modes typed, pull; history off`. */
  policy?: { file: string; says: string };
  repository: string | undefined;
  stores: {
    store: StoreRef;
    memories: number;
    /** How the index was found; telling the status brings it up to date. */
    index: "fresh" | "stale" | "missing" | "damaged";
    indexBytes: number;
  }[];
  places: { userStore: string; state: string; cache: string; config: string; policy: string };
  pending: number;
  sessions: number;
  receipts: number;
  /** Whether a model reads sessions afterwards, and what that costs. */
  learn: LearnStatus;
  problems: string[];
}

/** A team's server that this machine joined. */
export interface TeamReport {
  /** Its address without a password. */
  url: string;
  /** The login; undefined while the server does not answer. */
  person: string | undefined;
  /** What this person sees there: a store each, copied to `root`, as it was at `asOf`. */
  audiences: {
    id: string;
    name: string;
    canWrite: boolean;
    root: string;
    asOf: string | undefined;
    /** It is too large to be copied whole: rules and what was used here are. */
    isPartial: boolean;
  }[];
  /** What is not up to date, in words. */
  trouble: string[];
}

/** A change of who sees what on a team's server, of its schema, or that this machine leaves it. */
export interface TeamChange {
  kind: "admit" | "dismiss" | "migrate" | "leave";
  /** Of several servers, this one. */
  url?: string | undefined;
  /** `admit`, `dismiss`: a database role, and `person:NAME`, `team:NAME` or `repository:NAME`. */
  person?: string;
  audience?: string;
  /** `admit`: may read and not write. */
  isReader?: boolean;
  /** `migrate`: of the schema; 0 removes it with all memories. */
  version?: number;
}

export interface SyncReport {
  remote: string;
  pulled: number;
  pushed: number;
  /** Memories edited on both sides: both versions are kept, this many wait in the inbox. */
  queued: string[];
  /** What came, a line each, as `removed feedback/no-verify`: what was removed and rules first. */
  details: string[];
  announcement: string;
}

/** Claude Code's own memory of the project at hand, beside heed. */
export interface ClientMemoryReport {
  /** Claude Code is here, and its automatic memory is not switched off. */
  isOn: boolean;
  /** Its folder, whether there is anything in it or not; empty when it is not on. */
  directory: string;
  /** Memories in it. */
  files: number;
  /** heed reads it. */
  isAttached: boolean;
  /** Which of the two the user wants written; undefined until they have said so. */
  writer: "heed" | "client" | undefined;
}

/** What learning by a model has cost on a day (UTC). */
export interface LearnDay {
  calls: number;
  tokens: number;
  /** Items that came back, before any check. */
  items: number;
  /** Result of the last call. */
  last?: string;
}

/** Whether a model reads sessions afterwards, and what that costs. */
export interface LearnStatus {
  /** `off`: only what the session's model writes and what the user types for heed; `model`: a model reads sessions, too. */
  mode: "off" | "model";
  /** The user has said so; else it is the default. */
  isSaid: boolean;
  /** The command line that is asked: `claude -p --model haiku`. */
  model?: string;
  /** Of a day. */
  budget?: { calls: number; tokens: number };
  /** Why a model that is named is not used. */
  problems: string[];
  today: LearnDay;
}

/** How to open heed. */
export interface OpenOptions {
  /** The directory in which the agent or person works. Default: the process's own. */
  cwd?: string;
  /** Environment to read directories and switches from. Default: `process.env`. */
  env?: Readonly<Record<string, string | undefined>>;
  /**
   * The program that captures sessions in the background: a script that is started as `node PROGRAM capture`, detached,
   * when a session stops, is compacted or ends. Default: none; then the sessions wait for `learning.capture()`.
   */
  program?: string;
  /**
   * The organisation's policy file. Default, and what heed's own programs always use: `/etc/heed/policy.yaml`, on macOS and
   * Windows the machine's folder for settings. No variable moves it, as a model can set those; a test gives another one.
   */
  policy?: string;
  /** The clock. Default: the system's. */
  now?: () => Date;
  /**
   * The process stays while an agent works. Then work that can wait is done once nobody has said anything for a while.
   * Default false.
   */
  isResident?: boolean;
  /** Called after each event that was answered. Default: nobody is told. */
  onAnswered?: (report: EventReport) => void;
  /** Called once a team's server was asked, with a line for each store that is as it was last read. Default: nobody is told. */
  onStale?: (lines: readonly string[]) => void;
}

/** Reports how far a long job is. */
export type Progress = (done: number, total: number, what: string) => void;
