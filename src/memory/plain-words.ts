/**
 * The letters and digits of a text, lower case, one blank between words: two texts that differ in nothing but
 * punctuation, case, marks and line breaks have the same.
 */
export function plainWords(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
