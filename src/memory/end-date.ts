import type { Day } from "./calendar-day.ts";
import { endOfMonth } from "./calendar-day.ts";

/** How months begin in English, German and French, without accents; the surest first. */
const MONTHS: readonly (readonly [RegExp, number])[] = [
  [/^jan/, 1],
  [/^fev|^feb/, 2],
  [/^ma?r/, 3],
  [/^apr|^avr/, 4],
  [/^ma[iy]/, 5],
  [/^juin|^jun/, 6],
  [/^juil|^jul/, 7],
  [/^aug|^aou/, 8],
  [/^sep/, 9],
  [/^o[ck]t/, 10],
  [/^nov/, 11],
  [/^de[cz]/, 12],
];
const END_WORD =
  "(?:until|till|through|by|before|ends?(?: on| in)?|ending(?: on)?|expires?(?: on)?|over on|lifted(?: on)?|deadline(?: is| on|:)?|due(?: on| by|:)?|no later than|not after|valid to|lasts to|lasts until|bis(?: zum)?|spätestens(?: am)?|endet(?: am)?|läuft(?: am)? ab am|fällig am|jusqu['’]au|avant le|au plus tard le|expire le|se termine le)";
const DATE =
  "(\\d{4}-\\d{2}(?:-\\d{2})?|[A-Z][a-z]{2,8} \\d{1,2}(?:st|nd|rd|th)?,? \\d{4}|\\d{1,2}(?:st|nd|rd|th|er|\\.)? \\p{L}{3,9}[.,]? \\d{4}|\\d{1,2}\\. ?\\d{1,2}\\. ?\\d{4})";
const END = new RegExp(
  `\\b${END_WORD}\\s+(?:the\\s+)?(?:end of\\s+)?(?:[A-Z][a-z]+day,?\\s+)?\\(?${DATE}(?![\\d-])`,
  "giu",
);

/** The sentence before the end speaks of the past. */
const OVER =
  /(?<!\p{L})(?:was|were|had|lasted|ended|expired|used to|ran|until then|war|waren|lief|galt|était|fue|estaba)(?!\p{L})[^.!?;\n]*$/iu;

/**
 * The day on which what a text describes ends ("until 2026-03-05", "merge freeze by 5 March 2026", "due 2026-04", "bis
 * zum 15. März 2026"): the latest of those that it names, a month counting as its last day. Undefined when it names none,
 * and where it tells of what was over when it was written ("was frozen until").
 */
export function findEndDate(text: string): Day | undefined {
  if (!/\d{4}/.test(text)) return undefined;
  return [...text.slice(0, 20_000).matchAll(END)]
    .filter(({ index }) => !OVER.test(text.slice(Math.max(0, index - 60), index)))
    .map((match) => readDate(match[1] ?? ""))
    .filter((day) => day !== undefined)
    .sort()
    .at(-1);
}

function readDate(text: string): Day | undefined {
  const numbers = text.match(/\d+/g) ?? [];
  if (/^\d{1,2}\. ?\d{1,2}\./.test(text)) {
    const [date = "", month = "", year = ""] = numbers;
    return validDay(`${year}-${month.padStart(2, "0")}-${date.padStart(2, "0")}`);
  }
  const word = text
    .replace(/\d+(?:st|nd|rd|th|er\b)?/g, "")
    .normalize("NFD")
    .replace(/[^A-Za-z]/g, "")
    .toLowerCase();
  const month = MONTHS.find(([start]) => start.test(word))?.[1];
  if (/^\d{4}-/.test(text)) {
    const [year = "", monthText = "", date] = text.split("-");
    if (Number(monthText) < 1 || Number(monthText) > 12) return undefined;
    return date === undefined ? endOfMonth(`${year}-${monthText}-01`) : validDay(text);
  }
  if (month === undefined) return undefined;
  const [date = "", year = ""] = numbers;
  return validDay(`${year}-${String(month).padStart(2, "0")}-${date.padStart(2, "0")}`);
}

function validDay(text: string): Day | undefined {
  const time = Date.parse(text);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text ? undefined : text;
}

/**
 * When a memory ends: what it says, or else the day that the one line of a dated fact names. `undefined`: never by
 * itself.
 */
export function endOf(
  card: { expires?: string | undefined; description: string },
  isDated: boolean,
): string | undefined {
  return card.expires ?? (isDated ? findEndDate(card.description) : undefined);
}
