import type { Day } from "../../memory/calendar-day.ts";
import { month, monthDay, quarter } from "./calendar-phrases.ts";
import * as words from "./date-words.ts";
import { nearby, weekday } from "./day-phrases.ts";
import { endOfPeriod, period, span } from "./period-phrases.ts";
import type { PhraseClass, Reading } from "./phrase-class.ts";
import { between, isHabit, VAGUE } from "./phrase-class.ts";
import { proseOf, sentenceAround } from "./prose-of.ts";

/** A time that a text gives relative to the day of writing: in a month nobody knows which day it meant. */
export interface RelativeDate extends Reading {
  /** The words, as they stand in the text. */
  text: string;
  index: number;
}

const vague: PhraseClass = {
  pattern: words.VAGUE,
  read: ({ before, after }) => (isHabit(before, after) ? undefined : VAGUE),
};

/** In the order in which they claim their words: of two that overlap the first counts. */
const CLASSES: readonly PhraseClass[] = [
  ...nearby,
  endOfPeriod,
  vague,
  monthDay,
  weekday,
  period,
  span,
  month,
  quarter,
];

/**
 * Finds what a text says relative to the day of writing, in English, German, French and Spanish. Code, URLs,
 * identifiers, quoted text, names ("Tuesday Labs", "Mr. Friday"), habits ("every Friday", "Fridays", "the first Monday
 * of the quarter"), timetables and dates that stand next to their absolute form are left alone.
 */
export function findRelativeDates(text: string, today: Day): RelativeDate[] {
  const prose = withoutQuotes(proseOf(text));
  const found: RelativeDate[] = [];
  for (const kind of CLASSES) {
    for (const match of prose.matchAll(kind.pattern)) {
      const end = match.index + match[0].length;
      if (found.some((one) => match.index < one.index + one.text.length && end > one.index)) continue;
      if (isBesideDate(prose, match.index, end)) continue;
      const lead = prose.slice(Math.max(0, match.index - 24), match.index);
      const reading = kind.read({ match, lead, ...sentenceAround(prose, match.index, end) }, today);
      if (reading) found.push({ text: match[0], index: match.index, ...reading });
    }
  }
  // A day that recurs somewhere in the text recurs everywhere in it.
  const recurring = recurringDays(prose);
  return found
    .filter(({ text: said }) => ![...recurring].some((day) => said.toLowerCase().includes(day)))
    .sort((a, b) => a.index - b.index);
}

function recurringDays(prose: string): Set<string> {
  const every = between(`(?:every|each|jeden|chaque|tous les|cada|los) (${words.WEEKDAY})s?`);
  return new Set(Array.from(prose.matchAll(every), ([, day = ""]) => day.toLowerCase()));
}

/** What stands in quotes on one line is somebody else's text. */
function withoutQuotes(prose: string): string {
  return prose.replace(
    /"[^"\n]{1,300}"|“[^”\n]{1,300}”|„[^“\n]{1,300}“|«[^»\n]{1,300}»|‘[^’\n]{1,300}’(?!\p{L})|(?<![\p{L}\d])'[^'\n]{2,300}'(?![\p{L}\d])/gu,
    (quote) => quote.replace(/[^\n]/g, " "),
  );
}

/** "Thursday (2026-03-05)", "2026-03-05, a Thursday": the absolute date is there already. */
function isBesideDate(prose: string, start: number, end: number): boolean {
  return (
    /^[\s,]{0,3}\(?\s?(?:\d{4}-\d{2}|\p{Lu}\p{L}+ \d{1,2},? \d{4}|\d{1,2}\.? \p{L}+ \d{4})/u.test(
      prose.slice(end, end + 24),
    ) ||
    /\d{4}-\d{2}(?:-\d{2})?[\s,(–-]{0,3}(?:an? |ein )?$/.test(prose.slice(Math.max(0, start - 18), start))
  );
}
