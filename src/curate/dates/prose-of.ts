/** Text longer than this is cut before any gate looks at it; the schema gate refuses it anyway. */
const MAX_CHARS = 40_000;

/**
 * The text with everything that is no prose blanked out, at the same length and with the same line ends: fenced code,
 * code spans, URLs, markdown link targets and identifiers (`is-today`, `next_week.ts`). What stays is what a sentence
 * says, and an index into it is an index into the original.
 */
export function proseOf(text: string): string {
  const blank = (match: string): string => match.replace(/[^\n]/g, " ");
  return (
    text
      .slice(0, MAX_CHARS)
      .replace(/^(```|~~~)[^\n]*\n[\s\S]*?(?:^\1[^\n]*$|$(?![\s\S]))/gm, blank)
      // The user's own words, with the day on which they were said, stay as they were said.
      .replace(/^> "[^\n]{1,2000}" \(the user, \d{4}-\d{2}-\d{2}\)$/gm, blank)
      .replace(/``[^\n]{0,2000}?``|`[^`\n]{0,2000}`/g, blank)
      .replace(/https?:\/\/[^\s<>)\]]{1,2000}/g, blank)
      .replace(/\[\[[^\]\n]{1,200}\]\]/g, blank)
      .replace(/[^\s()[\]{}"'“”,;!?*]+/g, (token) => (isIdentifier(token) ? blank(token) : token))
  );
}

/** A token that a program names rather than a sentence says: joined by dashes, underscores, slashes or inner dots. */
function isIdentifier(token: string): boolean {
  const word = token.replace(/[.:]+$/, "");
  if (/^\d{4}-\d{2}(?:-\d{2})?/.test(word) || /^(?:mid|early|late|by|end)-/i.test(word)) return false;
  return /\w[-_/\\=@#]\w|\w\.\w|^--?\w|[a-z][A-Z]/.test(word);
}

/** The sentence around a position: from the last to the next end of a sentence or line. */
export function sentenceAround(text: string, start: number, end: number): { before: string; after: string } {
  const left = text.slice(Math.max(0, start - 200), start);
  const right = text.slice(end, end + 200);
  const leftCut = Math.max(...[". ", "! ", "? ", "; ", "\n", ":** "].map((mark) => cutAfter(left, mark)));
  const rightCut = /[.!?;](?:\s|$)|\n/.exec(right)?.index ?? right.length;
  return { before: left.slice(leftCut), after: right.slice(0, rightCut) };
}

function cutAfter(text: string, mark: string): number {
  const at = text.lastIndexOf(mark);
  return at < 0 ? 0 : at + mark.length;
}
