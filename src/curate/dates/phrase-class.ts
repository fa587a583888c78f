import type { Day } from "../../memory/calendar-day.ts";
import * as words from "./date-words.ts";

/** A phrase of the text, with what stands around it in its sentence. */
export interface Phrase {
  match: RegExpExecArray;
  before: string;
  after: string;
  /** What stands directly before it, beyond the beginning of the sentence: "Mr. ". */
  lead: string;
}

/** What a phrase means. */
export interface Reading {
  /**
   * What it may mean, the likelier first: a day, a month, a week. Empty where nobody can tell ("next sprint").
   */
  candidates: string[];
  /** What can stand in the place of the words, where they are certainly one day and it reads as a person would write it. */
  becomes?: string;
  /** No date may be meant at all ("soon", "nothing reads it today"): it is questioned, not refused. */
  isVague: boolean;
}

/** One class of phrases, in all languages. */
export interface PhraseClass {
  pattern: RegExp;
  /** Undefined: no date of this class is meant. */
  read(phrase: Phrase, today: Day): Reading | undefined;
}

/** Whether a date is meant nobody can tell. */
export const VAGUE: Reading = { candidates: [], isVague: true };
/** A date that is meant, by what it may be. */
export const asked = (...candidates: string[]): Reading => ({ candidates, isVague: false });

/** A pattern that stands as words of their own. */
export const between = (pattern: string, flags: string = "giu"): RegExp =>
  new RegExp(`${words.START}${pattern}${words.END}`, flags);

/** "of each month": the phrase recurs. */
export const OF_EACH: RegExp =
  /^\s(?:of|in|im|des|du|del|de)\s(?:the|each|every|a|any|le|la|el|cada|jede[nrs]?)?\s?/iu;

/** Whether a sentence tells of what happens again and again. */
export function isHabit(before: string, after: string): boolean {
  return words.HABIT.test(`${before} ${after}`);
}
