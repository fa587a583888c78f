/** So many sentences of a text are looked at. */
const MAX_SENTENCES = 200;
/** A longer run without an end is cut there. */
const MAX_SENTENCE_CHARS = 1000;

/** Abbreviations and file names whose dot ends nothing. */
const NO_END = /(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|no|st|mr|mrs|dr|fig)|\b[A-Za-z])\.$/i;

/**
 * The sentences of prose: a line or list item is at least one. A full stop counts as an end only before a blank, so that
 * `readme.md` and `v1.2` stay whole.
 */
export function sentencesOf(prose: string): string[] {
  const sentences: string[] = [];
  for (const line of prose.split("\n")) {
    const text = line.replace(/^\s*(?:[-*+•]|\d{1,2}[.)])\s+/, "").trim();
    if (text === "") continue;
    let start = 0;
    for (const end of text.matchAll(/[.!?…]+["')\]]?(?=\s)/g)) {
      const stop = end.index + end[0].length;
      if (NO_END.test(text.slice(Math.max(start, stop - 8), stop))) continue;
      sentences.push(text.slice(start, stop).trim());
      start = stop;
    }
    sentences.push(text.slice(start).trim());
    if (sentences.length > MAX_SENTENCES) break;
  }
  return sentences
    .filter((sentence) => sentence !== "")
    .slice(0, MAX_SENTENCES)
    .map((sentence) => sentence.slice(0, MAX_SENTENCE_CHARS));
}
