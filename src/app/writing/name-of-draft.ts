import { isStopWord } from "../../index/analysis/stop-words.ts";
import { slugOf } from "../../memory/slug.ts";

/** A name that is made has so many words at most: it is typed, and cited by a model in a sentence. */
const MAX_WORDS = 5;
const MIN_WORDS = 2;
/** Function words without which a name would say the opposite. */
const NEGATIONS: ReadonlySet<string> = new Set("no not never dont doesnt cannot cant without nor".split(" "));

/** Of long words it has fewer. */
const MAX_CHARS = 48;

/**
 * A name of two to five words for what a memory says: the first ones that carry its meaning; with a number when it is
 * taken.
 */
export function nameFor(description: string, isTaken: (name: string) => boolean): string {
  const whole = slugOf(description).split("-");
  const telling = tellingWords(description);
  const words = whole.length <= MAX_WORDS || telling.length < MIN_WORDS ? whole.slice(0, MAX_WORDS) : telling;
  while (words.length > MIN_WORDS && words.join("-").length > MAX_CHARS) words.pop();
  const name = words.join("-");
  if (!isTaken(name)) return name;
  for (let number = 2; ; number++) if (!isTaken(`${name}-${number}`)) return `${name}-${number}`;
}

/** The words of a text that carry meaning; a flag or a compound counts as its parts, and is not torn. */
function tellingWords(text: string): string[] {
  const plain = text.replace(/[a-z][a-z\d+.-]*:\/\/(?:www\.)?([^\s/]+)\S*/gi, "$1");
  const words: string[] = [];
  for (const [token] of plain.matchAll(/[\p{L}\p{N}'’]+(?:[-_./][\p{L}\p{N}]+)*/gu)) {
    const parts = slugOf(token)
      .split("-")
      .filter((part) => part !== "");
    const isTelling = parts.some((part) => NEGATIONS.has(part) || (!isStopWord(part) && part !== "user"));
    if (!isTelling) continue;
    if (words.length + parts.length > MAX_WORDS) break;
    words.push(...parts);
  }
  return words;
}
