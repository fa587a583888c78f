import { holdsSubstance } from "../../curate/users-words.ts";
import { wordsOf } from "../../recall/words-of.ts";
import type { GateRefusal } from "../../memory/gate-refusal.ts";

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
  if (refusals.some(({ gate }) => gate !== "duplicate")) return undefined;
  const [alike] = refusals.flatMap(({ duplicates = [] }) => duplicates);
  if (alike && isTurnedRound(alike.description, statement))
    return { kind: "otherwise", name: alike.name, description: alike.description };
  if (!alike || (alike.removed !== undefined && outright === "read")) return undefined;
  const saysAll = alike.removed === undefined && holdsSubstance(alike.description, statement, WHOLE_SHARE);
  return { kind: saysAll ? "known" : "alike", name: alike.name };
}

/** Words on whose sides two things stand: with the same words the other way round it says the opposite. */
const HAS_SIDES =
  /(?<!\p{L})(?:not|no|never|over|than|instead of|before|after|nicht|statt|kein\p{L}*|pas|plutôt que|au lieu d\p{L}*|en vez de|en lugar de)(?!\p{L})/iu;

/** "Use tabs, not spaces" against "use spaces, not tabs". */
function isTurnedRound(one: string, other: string): boolean {
  if (!HAS_SIDES.test(one) || !HAS_SIDES.test(other)) return false;
  const [first, second] = [one, other].map((text) => [...wordsOf(text)]);
  return (
    first?.length === second?.length &&
    first?.toSorted().join(" ") === second?.toSorted().join(" ") &&
    first?.join(" ") !== second?.join(" ")
  );
}
