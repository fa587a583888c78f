/** Function words carry no meaning of their own when two texts are compared. */
const STOP = new Set(
  "a an the and or of to in on at by for with from as is are was were be been it its this that these those we i you he she they our your their my will would can could do does did has have had if when then than so not no".split(
    " ",
  ),
);

/** The content words of a text, folded and without plural endings: what two texts are compared by. */
export function wordsOf(text: string): Set<string> {
  const words = text
    .slice(0, 20_000)
    .normalize("NFKC")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+(?:['’][\p{L}]+)?/gu);
  return new Set(
    (words ?? [])
      .filter((word) => !STOP.has(word))
      .map((word) => word.replace(/['’]s$/, "").replace(/(?<=\w{3})(?:es|s)$/, "")),
  );
}
