import { sentencesOf } from "../text/sentences.ts";
import { reasonElsewhere } from "./other-languages.ts";

/** A reason in the sentence, whole up to its end; "because of that" points at what was said, and is none by itself. */
const INSIDE =
  /(?:,|\s[-–—]|\s|\()\s*(?:because|since (?=we|it|they|the|this|i\b|our|my)|cause (?=we|it|they|the)|otherwise,?|as (?=we|it|they)\b)\s+(?!of (?:that|this|it)\b)([^()]{8,})\)?$/i;
/** A next sentence that begins as a reason. */
const NEXT =
  /^(?:because|otherwise|that['’]?s because|the reason (?:is|being)|reason:|why:)\s*[,:]?\s*(?:that )?(?!of (?:that|this|it)\b)(.{8,})$/i;

/** What parts a sentence, or two. */
const PARTS = /\s[-–—]+\s|[,;:()]|[.!?]+(?=\s)/;
/** A part of fewer words says nothing by itself: "no, …", "… in here". */
const MIN_PART_WORDS = 3;

/**
 * Whether words may give a reason without a word for it: "never edit src/gen, it gets overwritten". Another part of some
 * words stands behind the first one; who has just said why is not to be asked why.
 */
export function mayGiveReason(words: string): boolean {
  const parts = words.split(PARTS).map((part) => part.split(/\s+/).filter((word) => word !== "").length);
  const first = parts.findIndex((count) => count >= MIN_PART_WORDS);
  return parts.slice(first + 1).some((count) => first >= 0 && count >= MIN_PART_WORDS);
}

/** The reason that the user gave for a sentence, whole: in it, or in the next one. Undefined when they gave none. */
export function reasonIn(sentence: string, own: string): string | undefined {
  const bare = sentence.replace(/[.!…\s]+$/, "");
  const inside = INSIDE.exec(bare)?.[1] ?? reasonElsewhere(bare);
  if (inside !== undefined) return inside.trim();
  const sentences = sentencesOf(own);
  const next = sentences[sentences.indexOf(sentence) + 1];
  return next === undefined ? undefined : NEXT.exec(next.replace(/[.!…\s]+$/, ""))?.[1]?.trim();
}
