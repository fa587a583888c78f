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
