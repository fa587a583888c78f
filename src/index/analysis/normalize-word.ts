import { stemEnglish } from "./english-stemmer.ts";

/** Longer terms are cut here: two that differ only beyond it are one term. Paths and handles of real stores are shorter. */
export const MAX_TERM_LENGTH = 64;

const ENGLISH_WORD = /^[a-z]+$/;
const MAX_CACHED_STEMS = 30_000;
const stems = new Map<string, string>();

/** The term of a lower-case word: English words are stemmed, everything is cut at {@link MAX_TERM_LENGTH}. */
export function termOf(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const cut = word.length > MAX_TERM_LENGTH ? word.slice(0, MAX_TERM_LENGTH) : word;
  const term = ENGLISH_WORD.test(cut) ? stemEnglish(cut) : cut;
  if (stems.size >= MAX_CACHED_STEMS) stems.clear();
  stems.set(word, term);
  return term;
}

/**
 * The one term of `preCommit`, `pre-commit`, `pre_commit` and `precommit`. Keeps dots, slashes, and dashes
 * between digits.
 */
export function identifierTermOf(identifier: string): string {
  const lower = identifier.toLowerCase();
  const joined =
    lower.includes("-") || lower.includes("_") ? lower.replace(/(?<!\d)[-_]+|[-_]+(?!\d)/g, "") : lower;
  return termOf(joined);
}
