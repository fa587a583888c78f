import { oneLine } from "./text/one-line.ts";

/** Words by which a user says that something known is right. */
const CONFIRMS =
  /\b(?:(?:that|this|it|which|memory|heed:[\w-]+)(?:['’]s| is) (?:still |exactly |absolutely |quite |all )?(?:right|correct|true|accurate|valid|up[- ]to[- ]date|the case)|(?:that|it|this|heed:[\w-]+) (?:still )?(?:holds|stands|applies)|still (?:right|correct|true|valid|the case))\b/i;
const DENIES = /\b(?:not|no longer|never|but|except|unless|if|whether|was)\b|n['’]t\b|\?\s*$/i;
const NOTE = /\n?\n?Confirmed on \d{4}-\d\d-\d\d: "[^\n]*"\s*$/;

/** Whether a sentence of the user says that something known is right, without a doubt or a condition. */
export function isConfirmation(sentence: string): boolean {
  return CONFIRMS.test(sentence) && !DENIES.test(sentence);
}

/**
 * A memory's text with the day on which the user confirmed it and their words, in the place of an earlier such note;
 * undefined when it was noted that month already.
 */
export function confirmSentence(body: string, sentence: string, day: string): string | undefined {
  const earlier = NOTE.exec(body)?.[0] ?? "";
  if (earlier.includes(`Confirmed on ${day.slice(0, 7)}`)) return undefined;
  const said = oneLine(sentence, 200).replaceAll('"', "'");
  return `${body.slice(0, body.length - earlier.length).trimEnd()}\n\nConfirmed on ${day}: "${said}"`;
}
