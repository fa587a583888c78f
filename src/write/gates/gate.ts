import type { GateName } from "../../machine/heed-error.ts";
import type { Actor, ActorKind, MemoryDraft, GateRefusal } from "../../memory/memory.ts";
import type { TypePolicy, TypeTable } from "../../memory/memory-type.ts";
import type { Day } from "../../machine/read-fields.ts";

/** What the gates check a draft by, besides the draft itself. */
export interface GateContext {
  actor: Actor;
  /** The user has given their word on this very text. */
  isConfirmed: boolean;
  /** The user stands for it, or is asked before it counts: what a rule rests on is their word then. */
  isUsersWord?: boolean;
  types: TypeTable;
  /** The policy of the draft's type; undefined when nobody declared the type. */
  policy: TypePolicy | undefined;
  /** The day of writing. */
  today: Day;
  /** The memory that this write changes; undefined for a new one. */
  current: AmendedMemory | undefined;
  /** For a change by the whole text of its file: that text. Keys that a draft has no place for are only there. */
  text?: string;
  /** Live memories that resemble the draft, and those that share a tag with it; never the current one. */
  siblings: readonly Sibling[];
  /** Removed and rejected memories that resemble the draft. */
  removed: readonly RemovedSibling[];
  /** Tags in use in the store. */
  knownTags: readonly string[];
  /** What the agent's instruction files (CLAUDE.md, AGENTS.md …) of the repository at hand say. */
  instructions: readonly InstructionLine[];
}

/** What one gate says. An empty answer lets the draft pass as it is. */
export interface GateAnswer {
  refusals?: GateRefusal[];
  warnings?: string[];
  /** The draft as it goes on: with dates resolved, tags corrected. */
  draft?: MemoryDraft;
  /** Why the write waits for the user's word, whatever else is said. */
  pending?: string;
}

/** One test that every write passes, on every path. It reads no file and changes nothing. */
export interface Gate {
  /** Stable name, part of the public contract: refusals carry it. */
  name: GateName;
  check(draft: MemoryDraft, context: GateContext): GateAnswer | Promise<GateAnswer>;
}

/** A live memory beside which a draft is checked. */
export interface Sibling {
  id: string;
  name: string;
  description: string;
  type: string;
  tags: readonly string[];
  body: string;
}

/** A memory that a write changes, with the day until which it holds. */
export interface AmendedMemory extends Sibling {
  expires?: string;
}

/** A memory that was removed, or a proposal that was rejected. */
export interface RemovedSibling {
  name: string;
  description: string;
  body: string;
  /** Why it was removed. */
  reason: string;
  /** ISO date or time of the removal. */
  date: string;
  /** Who dropped it when it was proposed; undefined for what was removed later. */
  rejectedBy?: ActorKind;
  /** Id of the memory that it would have changed. */
  target?: string;
}

/** One line of an instruction file that the agent's client loads by itself. */
export interface InstructionLine {
  /** Path relative to the repository's root. */
  file: string;
  /** 1-based. */
  line: number;
  text: string;
}
