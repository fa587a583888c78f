import { oneLine } from "../text/one-line.ts";
import { sentencesOf } from "../text/sentences.ts";

/** A reason inside of the sentence itself. */
const INSIDE =
  /(?:,? (?:because|since|as (?=we|it|they|this|that|i\b)|so (?:that )?(?=we|it|they|i\b|the|you|nobody)|otherwise,?|cause(?= )|in order to)|\s[-–—]+\s(?=we|it|i\b|last|the last|that|they|this|because|otherwise))\s*(.{8,})$/i;
/** A next sentence that gives one. */
const NEXT =
  /^(?:because|otherwise|that['’]?s (?:why|because|just)|it['’]?s (?:because|just)|the reason|the last time|last (?:time|week|month|quarter|year)|we (?:got|had|were|lost|broke|spent)|it (?:broke|cost|took|breaks|caused|causes|will break)|they (?:break|broke|are)|this (?:broke|breaks|caused|causes|is because))\b/i;

/** The reason that the user gave for a sentence: in it, or in the one after it; undefined when they gave none. */
export function reasonFor(sentence: string, prose: string): string | undefined {
  const inside = INSIDE.exec(sentence)?.[1];
  if (inside !== undefined) return oneLine(inside, 300);
  const sentences = sentencesOf(prose);
  const next = sentences[sentences.indexOf(sentence) + 1];
  return sentences.includes(sentence) && next !== undefined && NEXT.test(next)
    ? oneLine(next, 300)
    : undefined;
}
