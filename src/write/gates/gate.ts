import type { Actor, ActorKind, GateRefusal, Memory, MemoryDraft } from "../../memory/memory.ts";
import type { TypePolicy, TypeTable } from "../../memory/memory-type.ts";
import type { Day } from "../../machine/read-fields.ts";

export interface GateContext {
  actor: Actor;
  isConfirmed: boolean;
  /** The user stands for it, or is asked before it counts: their word is what a rule rests on. */
  isUsersWord?: boolean;
  types: TypeTable;
  /** Undefined when nobody declared the draft's type. */
  policy: TypePolicy | undefined;
  today: Day;
  current: (Sibling & Pick<Memory, "expires">) | undefined;
  /** The whole file, where that was given: it has keys that no draft carries. */
  text?: string | undefined;
  /** Live memories that resemble the draft; never the current one. */
  siblings: readonly Sibling[];
  removed: readonly RemovedSibling[];
  /** The agent's instruction files (CLAUDE.md, AGENTS.md …) of the repository at hand. */
  instructions: readonly InstructionLine[];
}

export interface GateAnswer {
  refusals?: GateRefusal[];
  warnings?: string[];
  draft?: MemoryDraft;
  pending?: string;
}

/** One test that every write passes, on every path. Reads no file, changes nothing. */
export type Gate = (draft: MemoryDraft, context: GateContext) => GateAnswer;

export type Sibling = Pick<Memory, "id" | "name" | "statement" | "type" | "tags" | "body">;

export interface RemovedSibling extends Pick<Memory, "name" | "statement" | "body"> {
  reason: string;
  date: string;
  by?: ActorKind;
  target?: string | undefined;
}

export interface InstructionLine {
  /** Relative to the repository's root. */
  file: string;
  /** 1-based. */
  line: number;
  text: string;
}
