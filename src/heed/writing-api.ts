import type { Confidence, Link, Salience, Source, Status } from "../memory/memory.ts";
import type { MemoryCard, StoreKind } from "../memory/memory-card.ts";

/**
 * Who acts. A person's word (a terminal, a hand edit) confirms what it says; a model's does not.
 * A command line run inside an agent's shell tool counts as `model`.
 */
export interface Actor {
  kind: "person" | "model" | "hook" | "import";
  /** Name of the client, for example `claude-code`. */
  client?: string;
  session?: string;
}

/** What a writer brings. Everything but type, description (or a title) and body has a default. */
export interface MemoryDraft {
  type: string;
  /** Handle; default: made from the description. */
  name?: string;
  description: string;
  body: string;
  tags?: string[];
  aliases?: string[];
  trigger?: string[];
  confidence?: Confidence;
  source?: Source;
  status?: Status;
  salience?: Salience;
  /** `everywhere`, or path globs and a branch in the repository at hand. Default: as the type says. */
  scope?: "everywhere" | { paths?: string[]; branch?: string };
  expires?: string;
  links?: Link[];
  /** Default: `project` for a memory about this repository when a project store exists, else `user`. */
  store?: StoreKind;
  /** The writer has seen the near-duplicates that a first try named, and wants a memory of its own. */
  isDistinct?: boolean;
  /** The writer says that the memory cannot be derived from the repository although it looks so. */
  isNotDerivable?: boolean;
}

/** Changes to a memory; what is absent stays. `null` removes an optional key. */
export interface MemoryChanges {
  description?: string;
  body?: string;
  type?: string;
  tags?: string[];
  aliases?: string[];
  trigger?: string[];
  confidence?: Confidence;
  source?: Source;
  status?: Status;
  salience?: Salience;
  scope?: "everywhere" | { paths?: string[]; branch?: string };
  expires?: string | null;
  links?: Link[];
  /** The content hash that the writer saw; refused when the file has changed since (`changed-outside`). */
  ifHash?: string;
}

/** A memory that a write resembles: shown, never merged in silence. */
export interface NearDuplicate {
  name: string;
  description: string;
  /** Removed memories are named with the reason of their removal. */
  removed?: { reason: string; date: string };
  /** 0 to 1. */
  similarity: number;
}

/** One gate's refusal: which gate, why, and what would pass. */
export interface GateRefusal {
  gate: string;
  reason: string;
  remedy: string;
  /** A draft that would pass, where one can be made (dates resolved, sections named). */
  proposal?: Partial<MemoryDraft>;
  duplicates?: NearDuplicate[];
}

/** What came of a write. */
export type WriteResult =
  | {
      outcome: "written" | "amended" | "unchanged";
      card: MemoryCard;
      path: string;
      /** One line that announces the change to the user. */
      announcement: string;
      /** Unified diff of an amendment. */
      diff?: string;
      warnings: string[];
    }
  | {
      outcome: "pending";
      /** The proposal's handle in the inbox. */
      name: string;
      announcement: string;
      /** Why it waits, and how it is confirmed. */
      reason: string;
      diff?: string;
    }
  | { outcome: "refused"; refusals: GateRefusal[] };

/** The user's word on a pending memory. */
export interface Confirmation {
  /** For a model: what the user said after the proposal, verbatim. Not needed from a person. */
  quote?: string;
}

/** One entry of the history of a store. */
export interface Change {
  /** Commit, or entry of the change journal where the store is no git repository of heed's. */
  id: string;
  time: string;
  actor: string;
  /** What and why, one line. */
  summary: string;
  files: string[];
}

/** One line of a memory with the change that brought it. */
export interface BlameLine {
  line: number;
  text: string;
  change: Change;
}

export interface SyncReport {
  remote: string;
  pulled: number;
  pushed: number;
  /** Memories edited on both sides: both versions are kept, this many wait in the inbox. */
  queued: string[];
  announcement: string;
}

/** An item of the inbox. */
export interface PendingItem {
  name: string;
  description: string;
  type: string;
  body: string;
  /** Why it waits: a claim about the user, an edit from two sides, an attached or imported memory. */
  reason: string;
  proposedAt: string;
  /** The memory that it would change, and the diff. */
  target?: string;
  diff?: string;
}
