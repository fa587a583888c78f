import { withoutHandles } from "../memory/handle.ts";
import { oneLine } from "./text/one-line.ts";
import { sentencesOf } from "./text/sentences.ts";

/** What a memory says before and after a user's correction. */
export interface SentenceAmendment {
  description: string;
  body: string;
  /** The sentence that was replaced. */
  old: string;
}

/** Words that say that something known holds no longer, or otherwise. */
const CORRECTS =
  /\b(?:no longer|not (?:true|right|correct)|(?:not|n['’]t) [^.!?]{0,40}\bany ?more|any ?more|outdated|out of date|wrong|incorrect|changed|renamed|moved|replaced|dropped|instead|rather|now (?:use|uses|is|are|lives?|in|at|on)|(?:is|are) now|used to|we now|has been|switched|stopped|deprecated)\b/i;

const STOP = new Set(
  "the a an and or but if of to in on at by for with from as is are was were be been it its this that these those i you he she we they my your our their not no yes do does did have has had can will would should may must there here what which who how when where why all any some just now also use used using heed memory".split(
    " ",
  ),
);

/** Whether a sentence of the user may contradict something known. */
export function isCorrection(sentence: string): boolean {
  return CORRECTS.test(sentence) && !/\?\s*$/.test(sentence);
}

/** A correction without what it says about the memory itself: "heed:x is outdated: deploys run from …". */
export function correctedStatement(sentence: string): string {
  const text = withoutHandles(sentence)
    .replace(/\s+/g, " ")
    .trim()
    .replace(
      /^(?:(?:no|that|this|it|which|the memory)\b[\s,]*)?(?:is|was|are|['’]s)\s(?:now )?(?:wrong|outdated|out of date|incorrect|stale|no longer (?:true|right|correct)|not (?:true|right|correct)(?: any ?more)?)\s*[:;,.–—-]*\s*(?:and |as |since |because )?/i,
      "",
    )
    .replace(/^[\s:;,.–—-]+/, "");
  return text;
}

/**
 * Puts a user's sentence in the place of the sentence of a memory that it is nearest to, keeping the old wording with
 * the day. Undefined when it is near to none: a correction of nothing is a memory of its own.
 *
 * @param minShare how much of the old sentence's words the new one must have in common, 0 to 1.
 */
export function amendSentence(
  memory: { description: string; body: string },
  sentence: string,
  day: string,
  minShare: number,
): SentenceAmendment | undefined {
  const words = contentWords(sentence);
  const lines = memory.body.split("\n");
  const candidates = [
    memory.description,
    ...lines
      .filter((line) => !/^\s*(?:>|```|\*\*(?:How to apply|Failed)|- `)/.test(line))
      .flatMap((line) => sentencesOf(line)),
  ];
  const [best] = candidates
    .map((old, i) => ({ old, share: shareOf(contentWords(old), words), i }))
    .filter(({ old, share }) => share >= minShare && sharedCount(contentWords(old), words) >= 2)
    .sort((a, b) => b.share - a.share || a.i - b.i);
  if (!best) return undefined;
  const said = oneLine(sentence, 400);
  const isStatement =
    best.old === memory.description || shareOf(contentWords(memory.description), words) >= minShare;
  const whole = `${said}${/[.!?…]$/.test(said) ? "" : "."}`;
  // A description is mostly a sentence of the body, without its full stop.
  const inBody = [`${best.old}.`, best.old].find((old) => memory.body.includes(old));
  const body = inBody === undefined ? `${whole}\n\n${memory.body}` : memory.body.replace(inBody, () => whole);
  return {
    description: isStatement ? oneLine(said.replace(/[.]$/, ""), 200) : memory.description,
    body: `${body.trimEnd()}\n\nUntil ${day} it said: "${oneLine(best.old, 300)}"`,
    old: best.old,
  };
}

/** A correction of a memory in which no sentence is near to it, as a further line with its day. */
export function appendCorrection(body: string, sentence: string, day: string): string {
  const said = oneLine(sentence, 400);
  return body.includes(said) ? body : `${body.trimEnd()}\n\nCorrected on ${day}: ${said}`;
}

function contentWords(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_.-]{2,}/gu) ?? [];
  return new Set(
    words.map((word) => word.replace(/(?:ing|ed|es|s|\.)$/, "")).filter((word) => !STOP.has(word)),
  );
}

function sharedCount(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return [...a].filter((word) => b.has(word)).length;
}

function shareOf(old: ReadonlySet<string>, words: ReadonlySet<string>): number {
  const least = Math.min(old.size, words.size);
  return least < 2 ? 0 : sharedCount(old, words) / least;
}
