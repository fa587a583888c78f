import type { Day } from "../../memory/calendar-day.ts";
import {
  addDays,
  addMonths,
  endOfMonth,
  endOfQuarter,
  mondayOf,
  quarterOf,
} from "../../memory/calendar-day.ts";
import * as words from "./date-words.ts";
import type { PhraseClass } from "./phrase-class.ts";
import { asked, between, isHabit, OF_EACH, VAGUE } from "./phrase-class.ts";

/** "last month", "la semaine prochaine". */
export const period: PhraseClass = {
  pattern: between(`(?:(${words.DIRECTION}) (${words.PERIOD})|(${words.PERIOD}) (${words.DIRECTION}))`),
  read({ match, before, after }, today) {
    const direction = words.directionOf(match[1] ?? match[4]) ?? 0;
    const said = match[2] ?? match[3] ?? "";
    if (isHabit(before, after) || /^\s(?:of|de|des|du|der)(?!\p{L})/iu.test(after)) return undefined;
    // "over the last month" rolls on with the day on which it is read.
    if (
      /(?<!\p{L})(?:over|within|during|in|for|der|keeps?|holds?) (?:the )?$/iu.test(before) &&
      direction !== 1 &&
      /^(?:last|past|previous)/i.test(match[0])
    )
      return VAGUE;
    const unit = words.unitOf(said);
    return unit === undefined ? asked() : asked(nameOf(unit, shift(unit, today, direction)));
  },
};

/** "by the end of the month", "EOW". */
export const endOfPeriod: PhraseClass = {
  pattern: between(
    `(?:(?:the )?end of (?:(the|this|next) )?(day|week|month|quarter|year)|EO([DWMQY])|COB|close of business|Ende (?:der|des|dieser|dieses) (Woche|Monats|Quartals|Jahres)|fin (?:du|de la|de l['’]) ?(mois|semaine|année)|(?:fin|final|finales) de(?:l)? (?:la )?(mes|semana|año))`,
  ),
  read({ match, before, after }, today) {
    if (isHabit(before, after) || OF_EACH.test(after)) return undefined;
    const [, which, english, letter, ...others] = match;
    if (english && !which && !/(?<!\p{L})(?:by|until|till|before|at|on|is)\s$/iu.test(before))
      return undefined;
    const word = english ?? others.find((other) => other !== undefined);
    const unit = letter ? BY_LETTER[letter.toUpperCase()] : word === undefined ? "day" : words.unitOf(word);
    return asked(endOf(unit ?? "day", shift(unit ?? "day", today, which?.toLowerCase() === "next" ? 1 : 0)));
  },
};

const BY_LETTER: Readonly<Record<string, words.Unit>> = {
  D: "day",
  W: "week",
  M: "month",
  Q: "quarter",
  Y: "year",
};

/** "in two weeks", "3 days ago": a date in a fact, but a duration after a count or a deed. */
export const span: PhraseClass = {
  pattern: between(
    `(?:(?:in|dans|en|dentro de|binnen) (${words.COUNT}) (${words.UNIT})|(${words.COUNT}) (${words.UNIT}) (?:ago|from now)|(?:vor|il y a|hace) (${words.COUNT}) (${words.UNIT}))`,
  ),
  read({ match, before, after }, today) {
    const isBack = match[5] !== undefined || / ago$/i.test(match[0]);
    const unit = words.unitOf(match[2] ?? match[4] ?? match[6] ?? "") ?? "day";
    const count = words.countOf(match[1] ?? match[3] ?? match[5] ?? "");
    if (Number.isNaN(count) || isHabit(before, after)) return undefined;
    if (/(?<!\p{L})(?:than|over|once|twice|times|least|most|als|que)\s$/iu.test(before)) return undefined;
    if (!isBack && ((words.PAST.test(before) && !words.AHEAD.test(before)) || /^\s(?:of|de)\s/iu.test(after)))
      return undefined;
    const day =
      unit === "day" ? addDays(today, isBack ? -count : count) : shift(unit, today, isBack ? -count : count);
    return asked(unit === "month" ? day.slice(0, 7) : unit === "year" ? day.slice(0, 4) : day);
  },
};

function shift(unit: words.Unit, day: Day, step: number): Day {
  if (unit === "day") return addDays(day, step);
  if (unit === "week" || unit === "weekend") return addDays(day, 7 * step);
  // The first of the month: a shift from the 31st must not skip a month.
  return addMonths(`${day.slice(0, 8)}01`, step * { month: 1, quarter: 3, year: 12 }[unit]);
}

function nameOf(unit: words.Unit, day: Day): string {
  if (unit === "week") return `the week of ${mondayOf(day)}`;
  if (unit === "weekend") return `the weekend of ${addDays(mondayOf(day), 5)}`;
  if (unit === "month") return day.slice(0, 7);
  return unit === "quarter"
    ? `Q${quarterOf(day)} ${day.slice(0, 4)}`
    : unit === "year"
      ? day.slice(0, 4)
      : day;
}

function endOf(unit: words.Unit, day: Day): Day {
  if (unit === "day") return day;
  if (unit === "week" || unit === "weekend") return addDays(mondayOf(day), 4);
  if (unit === "month") return endOfMonth(day);
  return unit === "quarter"
    ? endOfQuarter(Number(day.slice(0, 4)), quarterOf(day))
    : `${day.slice(0, 4)}-12-31`;
}
