import type { Day } from "../../memory/calendar-day.ts";
import {
  addDays,
  addMonths,
  daysBetween,
  endOfMonth,
  endOfQuarter,
  mondayOf,
  quarterOf,
  weekdayOf,
} from "../../memory/calendar-day.ts";
import * as words from "./date-words.ts";
import { proseOf, sentenceAround } from "./prose-of.ts";

/** A time that a text gives relative to the day of writing: in a month nobody knows which day it meant. */
export interface RelativeDate {
  /** The words, as they stand in the text. */
  text: string;
  index: number;
  /**
   * What they may mean, the likelier first: a day, a month, a week. Empty where nobody can tell ("next sprint").
   */
  candidates: string[];
  /** What can stand in the place of the words, where they are certainly one day and it reads as a person would write it. */
  becomes?: string;
  /** No date may be meant at all ("soon", "nothing reads it today"): it is questioned, not refused. */
  isVague: boolean;
}

/** A phrase of the text, with what stands around it in its sentence. */
interface Phrase {
  match: RegExpExecArray;
  before: string;
  after: string;
  /** What stands directly before it, beyond the beginning of the sentence: "Mr. ". */
  lead: string;
}

type Reading = Omit<RelativeDate, "text" | "index">;

/** One class of phrases, in all languages. */
interface PhraseClass {
  pattern: RegExp;
  /** Undefined: no date of this class is meant. */
  read(phrase: Phrase, today: Day): Reading | undefined;
}

const VAGUE: Reading = { candidates: [], isVague: true };
const asked = (...candidates: string[]): Reading => ({ candidates, isVague: false });

const between = (pattern: string, flags: string = "giu"): RegExp =>
  new RegExp(`${words.START}${pattern}${words.END}`, flags);

/** Titles, and what makes a day a name whatever its case. */
const NAMED =
  /(?<!\p{L})(?:mr|mrs|ms|dr|herr|frau|mme|sra?|black|cyber|good|easter|ash|casual|holy|palm|giving|super|patch|fat|taco)\.?\s$/iu;
/** A word with a capital that begins no sentence. */
const CAPITAL_BEFORE = /[^.!?:;\s]\s\p{Lu}[\p{L}\d]*\s$/u;
const ORDINAL =
  /(?<!\p{L})(?:first|second|third|fourth|fifth|last|other|alternate|one|1st|2nd|3rd|4th|ersten?|zweiten?|letzten?|premiers?|primer)\s$/iu;
const OF_EACH = /^\s(?:of|in|im|des|du|del|de)\s(?:the|each|every|a|any|le|la|el|cada|jede[nrs]?)?\s?/iu;

/** Phrases whose day is counted from today: "tomorrow", "gestern". */
const nearby = words.NEARBY.map(({ words: pattern, days, language }): PhraseClass => ({
  pattern: between(`(?:${pattern})`),
  read({ match, before, after }, today) {
    if (!words.speaks(language, `${before} ${after}`) || isHabit(before, after)) return undefined;
    const said = match[0];
    // "Morgen" with a capital and "la mañana" are the morning.
    if (/^Morgen$/.test(said) && before.trim() !== "") return undefined;
    if (/^mañana$/i.test(said) && /(?<!\p{L})(?:la|una|de|esta|cada)\s$/iu.test(before)) return undefined;
    const day = addDays(today, days);
    if (days === 0) {
      if (/(?<!\p{L})(?:as of|ab)\s$/iu.test(before)) return certain(day, language, before, said);
      if (/^tonight/i.test(said)) return asked(day);
      return words.PAST.test(before) || /^\s(?:at|um|à|a las)\s\d/.test(after)
        ? asked(day)
        : { candidates: [day], isVague: true };
    }
    // The day of the sentence's own event: "the demo is tomorrow", "Yesterday the database was moved".
    const isInitial =
      (before.trim() === "" && INITIAL.test(after)) ||
      // "Until tomorrow the API is read-only", "ab morgen gilt der neue Tarif"
      (/^\s*(?:since|until|till|ab|seit|bis)\s$/i.test(before) &&
        /^,?\s(?:the|our|we|\p{Ll}+ (?:der|die|das))\s/iu.test(after));
    const isLast =
      words.EVENT.test(before) &&
      /^(?:\s?[.!;)]|\s+(?:um|at|à|a las) \d{1,2}\b|\s*$|\s\p{Ll}{4,}(?:t|en|é|e)$)/u.test(after);
    const isNamed = /\p{Lu}/u.test(isInitial ? said.slice(1) : said);
    if (isNamed || (!isInitial && !isLast) || words.TELLS_OF_OTHERS.test(before + after)) return asked(day);
    return certain(day, language, before, said);
  },
}));

/** How a sentence goes on behind the day that opens it. */
const INITIAL =
  /^,?\s(?:the|a|an|our|we|it|they|\p{Lu}\p{Ll}+|wurden?|wird|haben?|hat|der|die|das|la|le|les|el|los|se)\s/u;

function certain(day: Day, language: words.Language, before: string, said: string): Reading {
  const { on, bare } = words.PUTTING[language];
  const isCapital = /^\p{Lu}/u.test(said);
  const put = bare.test(before)
    ? day
    : `${isCapital ? on.replace(/^./, (first) => first.toUpperCase()) : on} ${day}`;
  // "jusqu'à demain", "hasta mañana": another word would have to change with it.
  const isStuck = /(?:['’]à|à|hasta|desde|para|dès|pour)\s$/iu.test(before);
  return { candidates: [day], isVague: false, ...(!isStuck && { becomes: put }) };
}

const weekday: PhraseClass = {
  pattern: between(
    `(?:(${words.DIRECTION}) )?(${words.WEEKDAY}|(?<=(?:on|by|until|since|this|next|last) )(?:mon|tue|wed|thu|fri|sat|sun))(?: (${words.DIRECTION}))?`,
  ),
  read({ match, before, after, lead }, today) {
    const said = match[2] ?? "";
    const direction = words.directionOf(match[1] ?? match[3]);
    if (said.length === 3 && !/^\p{Lu}/u.test(said)) return undefined;
    if (isName(said, lead, after) || isHabit(before, after)) return undefined;
    if (/^\s(?:mornings?|afternoons?|evenings?|nights?)(?!\p{L})/iu.test(after)) return undefined;
    if ((ORDINAL.test(before) || direction === -1) && OF_EACH.test(after)) return undefined;
    if (ORDINAL.test(before) && direction === undefined) return undefined;
    if (/(?<!\p{L})(?:le|los|a|an|one|du)\s$/iu.test(before) && direction === undefined) return undefined;
    const isPair = between(`(?:${words.WEEKDAY}|sun|mon|tue|wed|thu|fri|sat)`, "iu").test(
      `${before} ${after}`,
    );
    // Two days in one sentence are a timetable as often as a plan; a day before a noun names a meeting.
    if (direction === undefined && isPair) return VAGUE;
    const target = words.WEEKDAYS.get(said.toLowerCase()) ?? shortDay(said);
    const ahead = addDays(today, ((target - weekdayOf(today) + 6) % 7) + 1);
    const back = addDays(today, -(((weekdayOf(today) - target + 6) % 7) + 1));
    if (direction === undefined && /(?<!\p{L})(?:in|the|our)\s$/iu.test(before) && /^\s\p{Ll}/u.test(after))
      return { candidates: [ahead], isVague: true };
    if (direction === -1 || /(?<!\p{L})(?:since|seit|depuis|desde(?: el)?)\s$/iu.test(before))
      return asked(back);
    // "next Thursday", said on a Monday, is this week's to some and next week's to others.
    if (direction === 1) {
      const isThisWeek = daysBetween(today, ahead) < 7 - ((weekdayOf(today) + 6) % 7);
      return isThisWeek ? asked(addDays(ahead, 7), ahead) : asked(ahead);
    }
    const isPast = direction === undefined && words.PAST.test(before) && !words.AHEAD.test(before);
    return isPast ? asked(back, ahead) : asked(ahead);
  },
};

const period: PhraseClass = {
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

const endOfPeriod: PhraseClass = {
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
const span: PhraseClass = {
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

const MONTH_DAY = `(?:(${words.MONTH})\\.? (?:the )?(\\d{1,2})(?:st|nd|rd|th)?|(\\d{1,2})(?:st|nd|rd|th|er|\\.)? (?:of |de )?(${words.MONTH}))`;

/** A day of a month without a year: the next one after a word like "by", else the nearest. */
const monthDay: PhraseClass = {
  pattern: between(
    `(?<=(?:^|[(:,]|(?<!\\p{L})(?:on|by|until|till|since|before|after|from|is|was|due|am|bis|zum|seit|vom|le|el|au|desde)) ?(?:the )?)${MONTH_DAY}(?!,? ?(?:de )?\\d{4})(?!\\.\\d)`,
  ),
  read({ match, before, after }, today) {
    const name = match[1] ?? match[4] ?? "";
    const month = words.MONTHS.get(name.toLowerCase()) ?? 0;
    const date = Number(match[2] ?? match[3]);
    if (
      date < 1 ||
      date > 31 ||
      isHabit(before, after) ||
      (/^(?:mar|may|mai)$/i.test(name) && !/^\p{Lu}/u.test(name))
    )
      return undefined;
    const year = Number(today.slice(0, 4));
    const options = [year - 1, year, year + 1].map(
      (one) => `${one}-${String(month + 1).padStart(2, "0")}-${String(date).padStart(2, "0")}`,
    );
    const ahead = options.find((one) => one >= today) ?? "";
    const nearest = options.sort((a, b) => Math.abs(daysBetween(today, a)) - Math.abs(daysBetween(today, b)));
    return words.AHEAD.test(before.slice(-12))
      ? asked(ahead)
      : Math.abs(daysBetween(today, nearest[0] ?? today)) <= 124
        ? asked(nearest[0] ?? ahead)
        : asked(...nearest.slice(0, 2));
  },
};

/** A month without a year, behind a preposition. */
const month: PhraseClass = {
  pattern: between(
    `(?<=(in|by|until|till|since|before|after|during|from|early|late|end of|mid|im|bis|seit|ab|en|depuis|hasta|desde|next|last|this)[ -])(${words.MONTH})(?!\\.? ?\\d)(?!,? ?(?:de )?\\d{4})`,
  ),
  read({ match, before, after }, today) {
    const [, lead = "", name = ""] = match;
    if (!/^\p{Lu}/u.test(name) && /^(?:in|by|from|since|after|before)$/i.test(lead)) return undefined;
    if (name.length < 4 && !/^May$/.test(name)) return undefined;
    if (isHabit(before, after) || /^\s\p{Lu}/u.test(after)) return undefined;
    const number = String((words.MONTHS.get(name.toLowerCase()) ?? 0) + 1).padStart(2, "0");
    const now = today.slice(5, 7);
    const year = Number(today.slice(0, 4));
    const back = `${number <= now ? year : year - 1}-${number}`;
    const ahead = `${number < now ? year + 1 : year}-${number}`;
    if (/^(?:since|from|last|seit|depuis|desde)$/i.test(lead) || words.PAST.test(before)) return asked(back);
    if (words.AHEAD.test(before.slice(-12)) || /^(?:next|this|bis|hasta|before)$/i.test(lead))
      return asked(ahead);
    return back === ahead ? asked(ahead) : asked(ahead, back);
  },
};

const quarter: PhraseClass = {
  pattern: between(
    `(?<=(?:in|by|until|till|since|for|before|after|during|mid|early|late|im|bis|seit|fin|en|au)[ -])Q([1-4])(?![\\s,]*(?:FY)?[\\s'’]*\\d{2,4})(?!\\s*:)`,
  ),
  read({ match, before, after }, today) {
    if (isHabit(before, after) || /\b20\d\d\s*(?:\p{L}+\s)?$/u.test(before)) return undefined;
    const number = Number(match[1]);
    const year = Number(today.slice(0, 4));
    const isBack =
      /(?:since|seit)[ -]$/i.test(before) || (words.PAST.test(before) && !words.AHEAD.test(before));
    const now = quarterOf(today);
    return asked(`Q${number} ${isBack ? (number > now ? year - 1 : year) : number < now ? year + 1 : year}`);
  },
};

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

function isHabit(before: string, after: string): boolean {
  return words.HABIT.test(`${before} ${after}`);
}

function isName(said: string, lead: string, after: string): boolean {
  if (NAMED.test(lead)) return true;
  return /^\p{Lu}/u.test(said) && (CAPITAL_BEFORE.test(lead) || /^\s\p{Lu}\p{Ll}/u.test(after));
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

function shortDay(said: string): number {
  return ["sun", "mon", "tue", "wed", "thu", "fri", "sat"].indexOf(said.toLowerCase());
}
