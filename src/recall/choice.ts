import { termOf } from "../index/analysis/normalize-word.ts";
import type { Word } from "./read-statement.ts";

/** What is to be used, what is not ("use bun, not pnpm"; "never use lodash"), and what else is said: where, for what. */
interface Choice {
  chosen: readonly Word[];
  refused: readonly Word[];
  rest: readonly Word[];
}

const CHOOSES: ReadonlySet<string> = new Set(
  "use using used choose pick take adopt nimm nehmen nehme benutze benutzen verwende verwenden nutze nutzen utilise utiliser prends usa usar utiliza"
    .split(" ")
    .map((word) => termOf(word)),
);

/**
 * How two choices stand to each other, where one of them refuses something: who takes what the other refuses, or takes
 * another thing in place of the same, says otherwise, unless it is for another place; who takes and refuses the same says
 * the same. Undefined where this does not tell.
 */
export function compareChoices(
  a: readonly Word[],
  b: readonly Word[],
): { relation: "same" | "other" | "two"; first: readonly Word[]; second: readonly Word[] } | undefined {
  const [one, other] = [choiceOf(a), choiceOf(b)];
  if (!one || !other || (one.refused.length === 0 && other.refused.length === 0)) return undefined;
  const areBothTaken = one.chosen.length > 0 && other.chosen.length > 0;
  // Who only refuses what the other takes denies it.
  const answer = areBothTaken ? { first: one.chosen, second: other.chosen } : { first: [], second: [] };
  if (isSame(one.chosen, other.chosen))
    return areBothTaken && isSame(one.refused, other.refused) && isSame(one.rest, other.rest)
      ? { relation: "same", ...answer }
      : undefined;
  const isOtherwise =
    (one.chosen.length > 0 && isSame(one.chosen, other.refused)) ||
    (other.chosen.length > 0 && isSame(other.chosen, one.refused)) ||
    (areBothTaken && isSame(one.refused, other.refused));
  if (!isOtherwise) return undefined;
  const areOfOnePlace = isWithin(one.rest, other.rest) || isWithin(other.rest, one.rest);
  return { relation: areOfOnePlace ? "other" : "two", ...answer };
}

function choiceOf(words: readonly Word[]): Choice | undefined {
  const at = words.findIndex(({ term }) => CHOOSES.has(term));
  const verb = words[at];
  if (!verb) return undefined;
  const taken = runFrom(words, at + 1);
  const isRefusal = verb.isDenied || taken[0]?.isDenied === true;
  const end = at + 1 + taken.length;
  const denied = isRefusal ? -1 : words.findIndex(({ isDenied }, i) => isDenied && i >= end);
  const refused = isRefusal ? taken : denied < 0 ? [] : runFrom(words, denied);
  const chosen = isRefusal ? [] : taken;
  const rest = words.filter((word) => word !== verb && !chosen.includes(word) && !refused.includes(word));
  return { chosen, refused, rest };
}

/** The words from a place on that nothing stands between. */
function runFrom(words: readonly Word[], start: number): Word[] {
  const after = words.slice(start);
  const end = after.findIndex(({ link, isDenied }, i) => i > 0 && (link.length > 0 || isDenied));
  return end < 0 ? after : after.slice(0, end);
}

function isSame(a: readonly Word[], b: readonly Word[]): boolean {
  return isWithin(a, b) && isWithin(b, a);
}

function isWithin(a: readonly Word[], b: readonly Word[]): boolean {
  return a.every(({ term }) => b.some((word) => word.term === term));
}
