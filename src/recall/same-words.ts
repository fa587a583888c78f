import { wordsOf } from "./words-of.ts";

/** Names of sides: statements of like words about two of them are two matters. */
const SIDES: readonly string[] = [
  "staging production prod dev development test local ci",
  "frontend backend",
  "ios android web desktop",
  "linux macos windows",
  "monday tuesday wednesday thursday friday saturday sunday",
  "user admin customer",
];

/** Each names a side that the other does not: the staging database and the production database. */
export function areOtherSides(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return SIDES.some((group) => {
    const sides = [...wordsOf(group)];
    const [inA, inB] = [sides.filter((side) => a.has(side)), sides.filter((side) => b.has(side))];
    return inA.length > 0 && inB.length > 0 && !inA.some((side) => inB.includes(side));
  });
}

/** The words that two texts have in common, as a share of all that they have: 0 to 1 (Jaccard). */
export function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = sharedCount(a, b);
  const all = a.size + b.size - shared;
  return all === 0 ? 0 : shared / all;
}

/** How many words two texts have in common. */
export function sharedCount(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let count = 0;
  for (const word of a) if (b.has(word)) count++;
  return count;
}
