import type { Day } from "./calendar-day.ts";
import { endOfMonth } from "./calendar-day.ts";

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const END_WORD =
  "(?:until|till|through|by|before|ends?(?: on| in)?|ending(?: on)?|expires?(?: on)?|over on|lifted(?: on)?|deadline(?: is| on|:)?|due(?: on| by|:)?|no later than|not after|valid to|lasts to|lasts until)";
const DATE =
  "(\\d{4}-\\d{2}(?:-\\d{2})?|[A-Z][a-z]{2,8} \\d{1,2}(?:st|nd|rd|th)?,? \\d{4}|\\d{1,2}(?:st|nd|rd|th)? [A-Z][a-z]{2,8},? \\d{4})";
const END = new RegExp(
  `\\b${END_WORD}\\s+(?:the\\s+)?(?:end of\\s+)?(?:[A-Z][a-z]+day,?\\s+)?\\(?${DATE}(?![\\d-])`,
  "gi",
);

/**
 * The day on which what a text describes ends ("until 2026-03-05", "merge freeze by 5 March 2026", "due 2026-04"):
 * the latest of those that it names, a month counting as its last day; undefined when it names none.
 */
export function findEndDate(text: string): Day | undefined {
  return [...text.slice(0, 20_000).matchAll(END)]
    .map((match) => readDate(match[1] ?? ""))
    .filter((day) => day !== undefined)
    .sort()
    .at(-1);
}

function readDate(text: string): Day | undefined {
  const numbers = text.match(/\d+/g) ?? [];
  const month = MONTHS.indexOf(
    /[A-Za-z]{3}/.exec(text.replace(/\d+(?:st|nd|rd|th)/g, ""))?.[0].toLowerCase() ?? "",
  );
  if (/^\d{4}-/.test(text)) {
    const [year = "", monthText = "", date] = text.split("-");
    if (Number(monthText) < 1 || Number(monthText) > 12) return undefined;
    return date === undefined ? endOfMonth(`${year}-${monthText}-01`) : validDay(text);
  }
  if (month < 0) return undefined;
  const [date = "", year = ""] = numbers;
  return validDay(`${year}-${String(month + 1).padStart(2, "0")}-${date.padStart(2, "0")}`);
}

function validDay(text: string): Day | undefined {
  const time = Date.parse(text);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text ? undefined : text;
}
