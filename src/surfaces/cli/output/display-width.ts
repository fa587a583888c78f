/** Characters that a terminal draws over two columns (East Asian Wide and Fullwidth of Unicode TR 11, by blocks). */
const WIDE =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18aff}\u{1aff0}-\u{1b16f}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;
/** Nothing but marks and format characters: draws on no column of its own. */
const ZERO = /^[\p{M}\p{Cf}]*$/u;
const PLAIN = /^[\u0020-\u007e]*$/;

let segmenter: Intl.Segmenter | undefined;

/** What a person sees as one character, each with its width in terminal columns. */
export function* graphemesOf(text: string): Generator<{ text: string; columns: number }> {
  if (PLAIN.test(text)) {
    for (const char of text) yield { text: char, columns: 1 };
    return;
  }
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  for (const { segment } of segmenter.segment(text)) {
    yield { text: segment, columns: ZERO.test(segment) ? 0 : WIDE.test(segment) ? 2 : 1 };
  }
}

/** Columns that a line of text takes on a terminal. Expects text without control characters. */
export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let columns = 0;
  for (const grapheme of graphemesOf(text)) columns += grapheme.columns;
  return columns;
}
