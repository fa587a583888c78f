import { differenceOf, termsOfStatement } from "../recall/difference.ts";
import { rememberLast } from "../recall/remember-last.ts";

/**
 * From this share of common terms on the writer is asked how two memories stand to each other. At 0.4, of 64 pairs
 * made by hand that say the same or otherwise of one matter 61 are asked about, and 10 of the 875 memories of 35 real stores.
 */
export const NEAR: number = 0.4;

/** Fewer terms in common say nothing, whatever their share. */
const MIN_SHARED = 2;

/** The last ones are remembered: each is compared with many. */
const termsOf = rememberLast(termsOfStatement);

/**
 * How alike two statements are, by the share of their terms that both have: 0 to 1. Says nothing of whether they agree: that
 * is the writer's to say.
 */
export function likenessOf(a: { description: string }, b: { description: string }): number {
  const { shared, ofFirst, ofSecond } = differenceOf(termsOf(a.description), termsOf(b.description));
  if (shared.size < MIN_SHARED) return 0;
  return Math.round((100 * shared.size) / (shared.size + ofFirst.size + ofSecond.size)) / 100;
}
