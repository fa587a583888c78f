import { holdsSubstance } from "../../curate/users-words.ts";
import type { GateRefusal, NearDuplicate } from "../../memory/gate-refusal.ts";

/** How words that the user asked to keep stand to what is kept already. */
export type BesideTwins =
  /** One says all of it. */
  | { kind: "known"; name: string }
  /** One says much the same: both are kept, for the user to tell which. */
  | { kind: "alike"; name: string }
  /** One says otherwise: which of them holds is the user's to say. */
  | { kind: "otherwise"; name: string; description: string };

/** So much of a statement a memory holds that says all of it. */
const WHOLE_SHARE = 0.99;

/**
 * Reads a refusal of what the user asked to keep in so many words: only for its likeness to others? Then it is not lost,
 * whatever the likeness is worth. Undefined where something else is wrong with it, and where it was dropped before and is
 * not heard anew: a transcript may be of before.
 */
export function readTwins(
  refusals: readonly GateRefusal[],
  statement: string,
  outright: "heard" | "read",
): BesideTwins | undefined {
  if (refusals.some(({ gate }) => gate !== "duplicate" && gate !== "contradiction")) return undefined;
  const first = (gate: string): NearDuplicate | undefined =>
    refusals.filter((one) => one.gate === gate).flatMap(({ duplicates = [] }) => duplicates)[0];
  const [opposed, alike] = [first("contradiction"), first("duplicate")];
  if (opposed) return { kind: "otherwise", name: opposed.name, description: opposed.description };
  if (!alike || (alike.removed !== undefined && outright === "read")) return undefined;
  const saysAll = alike.removed === undefined && holdsSubstance(alike.description, statement, WHOLE_SHARE);
  return { kind: saysAll ? "known" : "alike", name: alike.name };
}
