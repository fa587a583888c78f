import { wordsOf } from "../recall/words-of.ts";

/**
 * Whether a turn holds a quote, as whole words: "ok" is not said by "token". Case, blanks, commas and the looks of quotation
 * marks are the writer's.
 */
export function isSaidIn(turn: string, quote: string): boolean {
  return containsWords(plainText(turn), plainText(quote));
}

/** A text as quotes are compared. */
export function plainText(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[‘’]/g, "'")
    .replace(/["“”`*_]|[,;:](?=\s)/g, "")
    .replace(/\s+/g, " ")
    .replace(/^[\s.,;:!?…-]+|[\s.,;:!?…-]+$/g, "");
}

function containsWords(text: string, quote: string): boolean {
  if (quote === "") return false;
  for (let at = text.indexOf(quote); at >= 0; at = text.indexOf(quote, at + 1)) {
    const [before, after] = [text.slice(0, at).at(-1) ?? " ", text[at + quote.length] ?? " "];
    if (!/[\p{L}\p{N}]/u.test(before) && !/[\p{L}\p{N}]/u.test(after)) return true;
  }
  return false;
}

/** Fewer words in common are chance, whatever their share. */
const MIN_WORDS = 2;

/**
 * Whether somebody's words hold the substance of a text: a share of its content words, and two of them at least. One that
 * has no content words has no substance to be held.
 */
export function holdsSubstance(said: string, text: string, minShare: number): boolean {
  const words = [...wordsOf(text)];
  if (words.length === 0) return false;
  const own = wordsOf(said);
  const common = words.filter((word) => own.has(word)).length;
  return common >= Math.max(Math.min(MIN_WORDS, words.length), minShare * words.length);
}
