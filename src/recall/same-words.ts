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
