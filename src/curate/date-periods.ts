import type { Day } from "./calendar-day.ts";
import { addDays, addMonths, endOfMonth, endOfQuarter, mondayOf, quarterOf } from "./calendar-day.ts";
import type { RelativeDate } from "./relative-date.ts";

/** What a rule makes of one match; undefined leaves the match alone. */
type Reading = Pick<RelativeDate, "resolved" | "candidates" | "weight">;

interface PeriodRule {
  pattern: RegExp;
  read(match: RegExpExecArray, today: Day, before: string): Reading | undefined;
}

const MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December";
const isPast = (before: string): boolean => /\b(?:was|were|had|did|has|have|\w{2,}ed)\b/i.test(before);
const firm = (resolved: string): Reading => ({ resolved, candidates: [resolved], weight: "firm" });
const open = (...candidates: string[]): Reading => ({ candidates, weight: "firm" });
const VAGUE: Reading = { candidates: [], weight: "vague" };

/**
 * Periods and vague times, which chrono-node misses or reads as a single day. Weeks begin on Monday and end, for
 * work, on Friday; quarters are those of the calendar year.
 */
const RULES: readonly PeriodRule[] = [
  {
    pattern: /\bday after tomorrow\b/gi,
    read: (_match, today) => firm(addDays(today, 2)),
  },
  {
    pattern: /\bday before yesterday\b/gi,
    read: (_match, today) => firm(addDays(today, -2)),
  },
  { pattern: /\blast night\b/gi, read: (_match, today) => firm(addDays(today, -1)) },
  {
    pattern: /\bthis (?:morning|afternoon|evening)\b/gi,
    read: (_match, today) => ({ ...firm(today), weight: "loose" }),
  },
  {
    pattern: /\b(?:the )?end of (?:(the|this|next|last) )?(week|month|quarter|year)\b|\bEO([WMQY])\b/g,
    read: (match, today) => {
      const unit = (
        match[2] ?? { W: "week", M: "month", Q: "quarter", Y: "year" }[match[3] ?? ""]
      )?.toLowerCase();
      const step = match[1] === "next" ? 1 : match[1] === "last" ? -1 : 0;
      if (
        !unit ||
        (!match[1] &&
          !match[3] &&
          !/\b(?:by|until|till|before|at|on) $/.test(match.input.slice(0, match.index)))
      )
        return undefined;
      const end = endOf(unit, shift(unit, today, step));
      // "at the end of the month" is a habit as often as a date.
      return { resolved: end, candidates: [end], weight: match[1] === "the" ? "loose" : "firm" };
    },
  },
  {
    pattern:
      /\b(this|next|last|past|previous|coming|the coming|early next|late next|later this) (week|month|quarter|year|weekend)\b(?!['’]s? (?:numbers|worth))/gi,
    read: (match, today) => {
      const word = (match[1] ?? "").toLowerCase();
      const unit = (match[2] ?? "").toLowerCase();
      if (/\b(?:every|each|per|any|over|within|in) the $/i.test(match.input.slice(0, match.index)))
        return VAGUE;
      const step = /next|coming/.test(word) ? 1 : /last|past|previous/.test(word) ? -1 : 0;
      const edge = /^(early|late)/.exec(word)?.[1];
      return firm(`${edge ? `${edge} in ` : ""}${nameOf(unit, shift(unit, today, step))}`);
    },
  },
  {
    pattern:
      /\b((?:in|by|until|till|since|for|before|after|during|from|of|to|mid|early|late)[ -])Q([1-4])\b(?![\s,]*(?:FY)?[\s'’]*\d{2,4})(?!\s*:)/gi,
    read: (match, today, before) => {
      const quarter = Number(match[2]);
      const year = Number(today.slice(0, 4));
      if (/\b20\d\d\s*$/.test(match.input.slice(0, match.index))) return undefined;
      const isBack = /^(?:since|from)/i.test(match[1] ?? "") || isPast(before);
      const now = quarterOf(today);
      const which = isBack ? (quarter > now ? year - 1 : year) : quarter < now ? year + 1 : year;
      return firm(`${match[1] ?? ""}Q${quarter} ${which}`);
    },
  },
  {
    pattern: new RegExp(
      `\\b((?:in|by|until|till|since|before|after|during|from|last|next|this|mid|early|late|end of|beginning of)[ -])(${MONTHS})\\b(?![\\s,]*(?:the )?\\d)`,
      "g",
    ),
    read: (match, today, before) => readMonth(match[1] ?? "", match[2] ?? "", today, before),
  },
  {
    pattern: /\b(last|this past|this|next|coming) (spring|summer|autumn|fall|winter)\b/gi,
    read: (match, today) => {
      const year = Number(today.slice(0, 4));
      const season = (match[2] ?? "").toLowerCase();
      const isBack = /last|past/i.test(match[1] ?? "");
      const hasBegun =
        Number(today.slice(5, 7)) >= ({ spring: 3, summer: 6, autumn: 9, fall: 9, winter: 12 }[season] ?? 3);
      // Which months a summer has depends on the hemisphere: the year is proposed, not assumed.
      const which = isBack
        ? hasBegun
          ? year
          : year - 1
        : hasBegun && /next/i.test(match[1] ?? "")
          ? year + 1
          : year;
      return open(
        season === "winter" ? `winter ${which}/${String(which + 1).slice(2)}` : `${season} ${which}`,
      );
    },
  },
  {
    pattern:
      /\b(?:next|this|last|the coming|the current|the previous) (?:sprint|iteration|semester|term|fiscal year)\b/gi,
    read: () => open(),
  },
  {
    pattern:
      /\b(?:in )?(?:a (?:few|couple(?: of)?)|several|some) (?:days|weeks|months)(?: (ago|from now))?\b/gi,
    read: (match, _today, before) =>
      /^in /i.test(match[0]) || match[1] ? (isGeneric(before) ? undefined : open()) : undefined,
  },
  {
    pattern:
      /\b(?:very soon|soon|shortly|recently|lately|nowadays|these days|the other day|in the near future|a while ago|some time ago|(?:the )?next (?:release|milestone|cycle))\b(?! after| before)/gi,
    read: () => VAGUE,
  },
];

/** Whether the words before a duration make it a general one ("older than a few weeks ago"). */
function isGeneric(before: string): boolean {
  return /\b(?:than|over|every|each|per|any|once|twice|times)\s*$/i.test(before);
}

/** Finds periods and vague times in prose (see proseOf). `beforeOf` gives the words of the sentence before an index. */
export function findDatePeriods(
  prose: string,
  today: Day,
  beforeOf: (start: number, end: number) => string,
): RelativeDate[] {
  const found: RelativeDate[] = [];
  for (const rule of RULES) {
    for (const match of prose.matchAll(rule.pattern)) {
      const end = match.index + match[0].length;
      if (found.some((one) => match.index < one.index + one.text.length && end > one.index)) continue;
      const reading = rule.read(match, today, beforeOf(match.index, end));
      if (reading) found.push({ text: match[0], index: match.index, ...reading });
    }
  }
  return found;
}

/** A month without a year: the last one that began, after a word of the past; else the next; a bare "in" is open. */
function readMonth(preposition: string, name: string, today: Day, before: string): Reading {
  const word = preposition.trim().toLowerCase();
  const month = String(MONTHS.split("|").indexOf(name) + 1).padStart(2, "0");
  const year = Number(today.slice(0, 4));
  const hasBegun = month <= today.slice(5, 7);
  const back = `${hasBegun ? year : year - 1}-${month}`;
  const ahead = `${month < today.slice(5, 7) ? year + 1 : year}-${month}`;
  const lead = /^(?:last|next|this)/.test(word) ? "" : preposition;
  if (word === "since" || word === "from" || word === "last" || isPast(before)) return firm(`${lead}${back}`);
  if (/^(?:by|until|till|before|next|this)/.test(word)) return firm(`${lead}${ahead}`);
  return back === ahead ? firm(`${lead}${ahead}`) : open(`${lead}${ahead}`, `${lead}${back}`);
}

function shift(unit: string, day: Day, step: number): Day {
  if (unit === "week" || unit === "weekend") return addDays(day, 7 * step);
  // The first of the month: a shift from the 31st must not skip a month.
  const first = `${day.slice(0, 8)}01`;
  return addMonths(first, step * ({ month: 1, quarter: 3, year: 12 }[unit] ?? 0));
}

function nameOf(unit: string, day: Day): string {
  if (unit === "week") return `the week of ${mondayOf(day)}`;
  if (unit === "weekend") return `the weekend of ${addDays(mondayOf(day), 5)}`;
  if (unit === "month") return day.slice(0, 7);
  return unit === "quarter" ? `Q${quarterOf(day)} ${day.slice(0, 4)}` : day.slice(0, 4);
}

function endOf(unit: string, day: Day): Day {
  if (unit === "week") return addDays(mondayOf(day), 4);
  if (unit === "month") return endOfMonth(day);
  return unit === "quarter"
    ? endOfQuarter(Number(day.slice(0, 4)), quarterOf(day))
    : `${day.slice(0, 4)}-12-31`;
}
