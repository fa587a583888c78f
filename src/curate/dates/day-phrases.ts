import type { Day } from "../../memory/calendar-day.ts";
import { addDays, daysBetween, weekdayOf } from "../../memory/calendar-day.ts";
import * as words from "./date-words.ts";
import type { PhraseClass, Reading } from "./phrase-class.ts";
import { asked, between, isHabit, OF_EACH, VAGUE } from "./phrase-class.ts";

/** Phrases whose day is counted from today: "tomorrow", "gestern". */
export const nearby: readonly PhraseClass[] = words.NEARBY.map(
  ({ words: pattern, days, language }): PhraseClass => ({
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
  }),
);

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

/** Titles, and what makes a day a name whatever its case. */
const NAMED =
  /(?<!\p{L})(?:mr|mrs|ms|dr|herr|frau|mme|sra?|black|cyber|good|easter|ash|casual|holy|palm|giving|super|patch|fat|taco)\.?\s$/iu;
/** A word with a capital that begins no sentence. */
const CAPITAL_BEFORE = /[^.!?:;\s]\s\p{Lu}[\p{L}\d]*\s$/u;
const ORDINAL =
  /(?<!\p{L})(?:first|second|third|fourth|fifth|last|other|alternate|one|1st|2nd|3rd|4th|ersten?|zweiten?|letzten?|premiers?|primer)\s$/iu;
/** "next Thursday", "seit Montag". */
export const weekday: PhraseClass = {
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

function isName(said: string, lead: string, after: string): boolean {
  if (NAMED.test(lead)) return true;
  return /^\p{Lu}/u.test(said) && (CAPITAL_BEFORE.test(lead) || /^\s\p{Lu}\p{Ll}/u.test(after));
}

function shortDay(said: string): number {
  return ["sun", "mon", "tue", "wed", "thu", "fri", "sat"].indexOf(said.toLowerCase());
}
