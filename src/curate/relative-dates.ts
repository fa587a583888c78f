import type { Day } from "./calendar-day.ts";
import { addDays, daysBetween, weekdayOf } from "./calendar-day.ts";
import { findDatePeriods } from "./date-periods.ts";
import { proseOf, sentenceAround } from "./prose-of.ts";
import type { RelativeDate } from "./relative-date.ts";

/** A text with its relative dates made absolute. */
export interface ResolvedText {
  text: string;
  /** What was replaced, in the order of the text. */
  replaced: { from: string; to: string }[];
  /** What could not be told, with indexes into the original text. */
  open: RelativeDate[];
}

/** Without one of these no rule can match, and the date library is not loaded (29 ms). */
const CUE =
  /day\b|days\b|week|month|year|quarter|sprint|iteration|semester|term\b|tomorrow|yesterday|tonight|night|morning|afternoon|evening|\bago\b|soon|shortly|recent|lately|while|time|\bQ[1-4]\b|\bEO[WMQY]\b|spring|summer|autumn|\bfall\b|winter|next|last|\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)/i;

const WEEKDAY = /\b(?:sun|mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?)(?:day)?\b/i;
/** Words that make a weekday or a span a habit or a policy instead of a date. */
const HABIT =
  /\b(?:every|each|always|never|usually|normally|generally|typically|weekly|biweekly|daily|monthly|recurring|don['’]t|do not|avoid|prefers?|likes?|tends?|any|whenever|per)\b/i;
const PAST = /\b(?:was|were|had|did|has|have|broke|went|came|made|took|found|sent|ran|began|\w{2,}ed)\b/i;
/** As PAST, without the verbs of state that also stand in descriptions ("is loaded", "has"). */
const PAST_EVENT =
  /\b(?:was|were|had|did|broke|went|came|made|took|found|sent|ran|began|(?<!\b(?:is|are|be|being|gets?)(?: \w+)? )\w{2,}ed)\b/i;
const AHEAD =
  /\b(?:will|shall|must|by|until|till|before|due|deadline|starts?|begins?|ends?|launch(?:es)?|ships?|going to|plan(?:s|ned)? (?:to|for)|scheduled)\b/i;
const NAME_AFTER = /^\s(?:Labs?|Inc|Club|Group|Team|Ltd|GmbH|Night|Market|Addams|Sale|Deals?)\b/;
const NAME_BEFORE = /\b(?:Black|Cyber|Good|Easter|Ash|Ruby|Casual|Holy|Palm|Giving|Super|Patch|Fat)\s$/;
const PREPOSITION =
  /\b(?:on|by|until|till|since|this|next|last|before|after|from|for|due|coming|through)\s$/i;

/**
 * Finds what a text says relative to the day of writing. Code, URLs, identifiers, names ("Tuesday Labs"), habits
 * ("every Friday", "Fridays") and dates that stand next to their absolute form are left alone.
 *
 * Rules: a bare weekday is the next such day after today, so on a Thursday "Thursday" is in a week; after a verb in
 * the past it is open between the last and the next one. "this" and "last" weekday are the nearest to come and the
 * latest gone; "next Thursday" is open while this week's is still to come. A day of a month without a year is the
 * nearest one, and open when that is over four months away.
 */
export async function findRelativeDates(text: string, today: Day): Promise<RelativeDate[]> {
  const prose = proseOf(text);
  if (!CUE.test(prose)) return [];
  const periods = findDatePeriods(prose, today, (start, end) => sentenceAround(prose, start, end).before);
  const { parse } = await import("chrono-node/en");
  const reference = { instant: new Date(`${today}T12:00:00Z`), timezone: 0 };
  const days = parse(prose, reference).flatMap((result): RelativeDate[] => {
    const tags = [...result.tags()].join(" ");
    const known = (part: "year" | "month" | "day" | "weekday"): boolean => result.start.isCertain(part);
    return readDay(prose, today, {
      text: result.text,
      index: result.index,
      day: result.start.date().toISOString().slice(0, 10),
      isAbsolute: known("year") && !/relativeDate|casualReference/.test(tags),
      isSpan: /relativeDate/.test(tags),
      isMonthDay: known("month") && known("day") && !known("year"),
      isRange: result.end !== null,
    });
  });
  const overlaps = (one: RelativeDate): boolean =>
    periods.some(
      (other) => one.index < other.index + other.text.length && one.index + one.text.length > other.index,
    );
  return [...periods, ...days.filter((one) => !overlaps(one))]
    .filter((one) => !isBesideDate(prose, one) && !isQuotedAlone(text, one))
    .sort((a, b) => a.index - b.index);
}

/**
 * Puts absolute dates in the place of the relative ones that can be told.
 *
 * @param weights which to replace; the others are left open.
 * @param oldLines lines that stood there before today: they meant another day and stay as they are.
 */
export async function resolveRelativeDates(
  text: string,
  today: Day,
  weights: readonly RelativeDate["weight"][] = ["firm", "loose"],
  oldLines: ReadonlySet<string> = new Set(),
): Promise<ResolvedText> {
  const result: ResolvedText = { text: "", replaced: [], open: [] };
  let at = 0;
  const written = oldLines.size === 0 ? text : blankLines(text, oldLines);
  for (const found of await findRelativeDates(written, today)) {
    if (found.resolved === undefined || !weights.includes(found.weight)) {
      result.open.push(found);
      continue;
    }
    const to = withPreposition(text.slice(0, found.index), found);
    result.text += text.slice(at, found.index) + to;
    at = found.index + found.text.length;
    result.replaced.push({ from: found.text, to });
  }
  result.text += text.slice(at);
  return result;
}

/** "Ships next Thursday" has no preposition, "ships on 2026-11-26" needs one. */
function withPreposition(before: string, { text, resolved = "" }: RelativeDate): string {
  if (!/^(?:next|last|this|tomorrow|yesterday|today)\b/i.test(text) || !/[\p{L}\p{N}] $/u.test(before))
    return resolved;
  if (
    PREPOSITION.test(before) ||
    /\b(?:in|of|at|the|a|and|or|to|is|was|are|than|around|about|into)\s$/i.test(before)
  )
    return resolved;
  if (/^\d{4}-\d\d-\d\d$/.test(resolved)) return `on ${resolved}`;
  return /^\d{4}(?:-\d\d|-Q\d)?$/.test(resolved) ? `in ${resolved}` : resolved;
}

function blankLines(text: string, lines: ReadonlySet<string>): string {
  return text
    .split("\n")
    .map((line) => (lines.has(line.trim()) ? " ".repeat(line.length) : line))
    .join("\n");
}

interface ReadDay {
  text: string;
  index: number;
  day: Day;
  isAbsolute: boolean;
  isSpan: boolean;
  isMonthDay: boolean;
  isRange: boolean;
}

function readDay(prose: string, today: Day, found: ReadDay): RelativeDate[] {
  if (found.isAbsolute) return [];
  const { before, after } = sentenceAround(prose, found.index, found.index + found.text.length);
  if (found.isSpan) return readSpan(found, before, after);
  // "JUN26" is a name and "first may" a verb: a date has a capital and a blank.
  if (
    found.isMonthDay &&
    !/[A-Z][a-z]{2,8}\.?\s+(?:the )?\d|\d(?:st|nd|rd|th)?\s+(?:of )?[A-Z][a-z]{2}/.test(found.text)
  )
    return [];
  if (found.isMonthDay) return readMonthDay(found, today, before);
  const casual = /\b(?:today|tonight|tomorrow|yesterday)\b/i.exec(found.text);
  if (casual) {
    const start = found.index + casual.index;
    if (!/today|tonight/i.test(casual[0])) return [of(casual[0], start, [found.day], "firm")];
    // "Nothing reads it today" means nowadays: only an event has a day.
    if (!isEvent(before, after))
      return [{ text: casual[0], index: start, candidates: [found.day], weight: "vague" }];
    return [of(casual[0], start, [found.day], "loose")];
  }
  const weekday = WEEKDAY.exec(found.text);
  return weekday ? readWeekday(prose, today, found, { before, after, weekday: weekday[0] }) : [];
}

/** Whether a sentence around "today" tells of something that happens once. */
function isEvent(before: string, after: string): boolean {
  if (HABIT.test(before + after)) return false;
  return (
    /\b(?:is|was|are|were|due|starts?|begins?|ends?|launch(?:es)?|ships?|by|until|till|since|from|of|on)(?: only)?\s$/i.test(
      before,
    ) ||
    PAST_EVENT.test(before) ||
    PAST_EVENT.test(after.slice(0, 60)) ||
    /^['’]s\b/.test(after)
  );
}

/** "in two weeks", "3 days ago": a date in a fact, but a duration after a count or in a policy. */
function readSpan(found: ReadDay, before: string, after: string): RelativeDate[] {
  const text = found.text.toLowerCase();
  const isAgo = /\bago$/.test(text);
  if (!isAgo && !/^in\b|\bfrom now$/.test(text)) return [];
  if (!/\b(?:days?|weeks?|fortnights?|months?|years?)\b/.test(text) || /^in (?:one|1|a|the) day/.test(text))
    return [];
  if (/second|minute|hour/.test(text) || /\bof\b/.test(after.slice(0, 4))) return [];
  if (/\b(?:than|over|every|each|per|any|once|twice|times|least|most)\s*$/i.test(before)) return [];
  if (!isAgo && (PAST.test(before) || HABIT.test(before))) return [];
  const precise = /month/.test(text)
    ? found.day.slice(0, 7)
    : /year/.test(text)
      ? found.day.slice(0, 4)
      : found.day;
  const resolved = isAgo || precise === found.day ? precise : `in ${precise}`;
  const isPolicy = !isAgo && /\b(?:expir|ttl|rotat|retention|retain|retr|timeout|cach|valid)/i.test(before);
  // "tokens expire in 30 days" is a policy, "the certificate expires in 30 days" a date: only the writer knows.
  if (isPolicy)
    return [{ text: found.text, index: found.index, candidates: [`on ${precise}`], weight: "loose" }];
  return [
    of(
      found.text,
      found.index,
      [resolved === precise && !isAgo ? `on ${precise}` : resolved],
      isAgo ? "firm" : "loose",
    ),
  ];
}

/** A day of a month without a year: the next one after a word like "by", else the nearest. */
function readMonthDay(found: ReadDay, today: Day, before: string): RelativeDate[] {
  const lead = /^(?:on|by|until|till|since|before|after|from) /i.exec(found.text)?.[0] ?? "";
  const year = Number(today.slice(0, 4));
  const options = [year - 1, year, year + 1].map((one) => `${one}${found.day.slice(4)}`);
  const ahead = options.find((one) => one >= today) ?? found.day;
  const nearest = options.sort((a, b) => Math.abs(daysBetween(today, a)) - Math.abs(daysBetween(today, b)));
  const text = found.text.slice(lead.length);
  const index = found.index + lead.length;
  if (/\b(?:by|until|till|before|due|deadline(?: is)?|due on) $/i.test(`${before}${lead}`))
    return [of(text, index, [ahead], "firm")];
  const isNear = Math.abs(daysBetween(today, nearest[0] ?? today)) <= 124;
  return [of(text, index, isNear ? nearest.slice(0, 1) : nearest.slice(0, 2), "firm")];
}

function readWeekday(
  prose: string,
  today: Day,
  found: ReadDay,
  around: { before: string; after: string; weekday: string },
): RelativeDate[] {
  const at = found.text.indexOf(around.weekday);
  const start = found.index + at;
  const end = start + around.weekday.length;
  const lead = prose.slice(0, start);
  const tail = prose.slice(end);
  const isAbbreviated = !/day$/i.test(around.weekday);
  if (isAbbreviated && !(/^[A-Z]/.test(around.weekday) && PREPOSITION.test(lead.slice(-12)))) return [];
  if (NAME_BEFORE.test(lead.slice(-12)) || NAME_AFTER.test(tail)) return [];
  if (/^[A-Z]/.test(around.weekday) && /^\s[A-Z][a-z]/.test(tail) && !PREPOSITION.test(lead.slice(-12)))
    return [];
  if (/^\s(?:mornings|afternoons|evenings|nights)\b/.test(tail) || HABIT.test(around.before + around.after))
    return [];
  // Two weekdays in a row are a timetable, unless a word says which week.
  const word = /\b(this|next|last|coming)\s$/i.exec(lead.slice(-8))?.[1]?.toLowerCase();
  const isPair = WEEKDAY.test(
    tail
      .slice(0, 16)
      .replace(/^[^\w]*(?:and|or|to|through|[-–/&,])\s*/i, "§")
      .split("§")[1]
      ?.split(/\W/)[0] ?? "",
  );
  const isSecond = /\b\w+day\s*(?:,|and|or|to|through|[-–/&])\s*$/i.test(lead.slice(-24));
  if ((isPair || isSecond || found.isRange) && !word && !/\bfrom\s$/i.test(lead.slice(-6))) return [];

  const target = weekdayNumber(around.weekday);
  const ahead = nextWeekday(today, target);
  // On a Thursday the last one is a week ago, not today.
  const back = ahead === addDays(today, 7) ? addDays(today, -7) : addDays(ahead, -7);
  if (found.isRange) {
    const last = prose
      .slice(start, found.index + found.text.length)
      .split(/\W+/)
      .findLast((part) => WEEKDAY.test(part));
    const lastAt = last === undefined ? -1 : prose.lastIndexOf(last, found.index + found.text.length);
    const first = of(around.weekday, start, [ahead], "loose");
    if (last === undefined || lastAt <= start) return [first];
    return [first, of(last, lastAt, [nextWeekday(ahead, weekdayNumber(last))], "loose")];
  }
  const text = word ? prose.slice(start - word.length - 1, end) : around.weekday;
  const index = word ? start - word.length - 1 : start;
  if (word === "last" || /\bsince\s$/i.test(lead.slice(-7))) return [of(text, index, [back], "firm")];
  if (word === "this" || word === "coming") return [of(text, index, [ahead], "firm")];
  // In English "next Thursday", said on a Monday, is this week's to some and next week's to others.
  if (word === "next") {
    const isThisWeek = daysBetween(today, ahead) < 7 - ((weekdayOf(today) + 6) % 7);
    return [of(text, index, isThisWeek ? [addDays(ahead, 7), ahead] : [ahead], "firm")];
  }
  // "in Monday planning", "the Friday demo": a name of a meeting as often as a day.
  if (/\b(?:in|the|our|an?)\s$/i.test(lead.slice(-5)) && /^\s[a-z]/.test(tail))
    return [{ text, index, candidates: [ahead], weight: "vague" }];
  if (/\b(?:days?|weeks?|months?) (?:from|after|before)\s$/i.test(lead.slice(-14)))
    return [of(text, index, [], "loose")];
  const isPast = PAST.test(around.before) && !AHEAD.test(around.before);
  return [of(text, index, isPast ? [back, ahead] : [ahead], "loose")];
}

/** The first such weekday after a day. */
function nextWeekday(day: Day, weekday: number): Day {
  return addDays(day, ((weekday - weekdayOf(day) + 6) % 7) + 1);
}

function weekdayNumber(name: string): number {
  return ["su", "mo", "tu", "we", "th", "fr", "sa"].indexOf(name.slice(0, 2).toLowerCase());
}

/** One candidate is the answer; more or none leave it open. */
function of(text: string, index: number, candidates: string[], weight: RelativeDate["weight"]): RelativeDate {
  const only = candidates.length === 1 ? candidates[0] : undefined;
  return { text, index, ...(only !== undefined && { resolved: only }), candidates, weight };
}

/** "Thursday (2026-03-05)", "2026-03-05, a Thursday": the absolute date is there already. */
function isBesideDate(prose: string, found: RelativeDate): boolean {
  const end = found.index + found.text.length;
  return (
    /^[\s,]{0,3}\(?\s?(?:\d{4}-\d{2}|[A-Z][a-z]+ \d{1,2},? \d{4}|\d{1,2} [A-Z][a-z]+ \d{4})/.test(
      prose.slice(end, end + 24),
    ) ||
    /\d{4}-\d{2}-\d{2}[\s,(–-]{0,3}(?:an? )?$/.test(prose.slice(Math.max(0, found.index - 18), found.index))
  );
}

/** A label or message in quotes that is nothing but the time itself ("today", "2 minutes ago"). */
function isQuotedAlone(text: string, found: RelativeDate): boolean {
  const quotes = /["'“”‘’]/;
  return (
    quotes.test(text[found.index - 1] ?? "") &&
    /^[.,]?["”’]/.test(text.slice(found.index + found.text.length, found.index + found.text.length + 2))
  );
}
