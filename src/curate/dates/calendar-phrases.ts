import { daysBetween, quarterOf } from "../../memory/calendar-day.ts";
import * as words from "./date-words.ts";
import type { PhraseClass } from "./phrase-class.ts";
import { asked, between, isHabit } from "./phrase-class.ts";

const MONTH_DAY = `(?:(${words.MONTH})\\.? (?:the )?(\\d{1,2})(?:st|nd|rd|th)?|(\\d{1,2})(?:st|nd|rd|th|er|\\.)? (?:of |de )?(${words.MONTH}))`;

/** A day of a month without a year: the next one after a word like "by", else the nearest. */
export const monthDay: PhraseClass = {
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
export const month: PhraseClass = {
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

/** A quarter without a year, behind a preposition. */
export const quarter: PhraseClass = {
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
