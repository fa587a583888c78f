import type { GateRefusal, MemoryDraft } from "../../memory/memory.ts";
import { amendmentGate } from "./amendment-gate.ts";
import { derivableGate, hostileGate, relativeDatesGate } from "./text-gates.ts";
import type { Gate, GateContext } from "./gate.ts";
import { schemaGate, tagsGate } from "./schema-gate.ts";

/**
 * The gates in order: is it a memory, may it hold this, how are dates written, does it lose text. A
 * later gate sees the draft as the earlier ones left it.
 */
const GATES: readonly Gate[] = [
  schemaGate,
  hostileGate,
  relativeDatesGate,
  derivableGate,
  amendmentGate,
  tagsGate,
];

/** What all gates together say of a draft. */
export interface GatesAnswer {
  /** Every refusal of every gate, in gate order; empty: it passes. */
  refusals: GateRefusal[];
  warnings: string[];
  /** The draft as it is to be stored. */
  draft: MemoryDraft;
  /** Why it waits for the user's word; undefined: it does not. */
  pending: string | undefined;
}

/** Runs a draft through the gates. All of them are asked, so that a writer learns everything at once. */
export async function runGates(draft: MemoryDraft, context: GateContext): Promise<GatesAnswer> {
  const answer: GatesAnswer = { refusals: [], warnings: [], draft, pending: undefined };
  for (const gate of GATES) {
    const said = await gate.check(answer.draft, context);
    answer.refusals.push(...(said.refusals ?? []));
    answer.warnings.push(...(said.warnings ?? []));
    answer.draft = said.draft ?? answer.draft;
    answer.pending ??= said.pending;
  }
  return answer;
}
