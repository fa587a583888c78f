import type { GateRefusal } from "../memory/gate-refusal.ts";
import type { MemoryDraft } from "../memory/memory-draft.ts";
import type { Day } from "../memory/calendar-day.ts";
import { findEndDate } from "../memory/end-date.ts";
import type { RelativeDate } from "./dates/find-relative-dates.ts";
import { findRelativeDates } from "./dates/find-relative-dates.ts";
import type { Gate, GateAnswer, GateContext } from "./gate.ts";

const FIELDS = ["description", "body"] as const;

/**
 * Asks for the date where a fact gives a time relative to the day of writing; the writer says which day is meant. Text is
 * changed only where the words are certainly one day ("the demo is tomorrow"). In rules, where "Friday" and "today" are
 * meant in general, it only questions. A fact whose text names the day on which it ends expires after that day.
 */
export const relativeDatesGate: Gate = {
  name: "relative-dates",
  check(draft: MemoryDraft, context: GateContext): GateAnswer {
    const { policy, today, current } = context;
    // The record of a session is of its day, and quotes what was said and logged then.
    if (policy?.layer === "episodic") return {};
    const isRule = policy?.layer === "procedural";
    const passed: MemoryDraft = { ...draft };
    const put: RelativeDate[] = [];
    const open: RelativeDate[] = [];
    for (const field of FIELDS) {
      const found = findRelativeDates(withoutOldLines(draft[field], current), today);
      put.push(...(isRule ? [] : found.filter(({ becomes }) => becomes !== undefined)));
      open.push(...found.filter(({ becomes }) => isRule || becomes === undefined));
      if (!isRule) passed[field] = putDates(draft[field], found);
    }
    // What was read from the old text goes with it.
    const before = current && findEndDate(`${current.description}\n${current.body}`);
    const isGiven = draft.expires !== undefined && draft.expires.slice(0, 10) !== before;
    if (!isGiven && policy?.needs.includes("absolute-dates")) {
      const end = findEndDate(`${passed.description}\n${passed.body}`);
      if (end !== undefined) passed.expires = end;
    }
    const isOver = !isGiven && passed.expires !== undefined && passed.expires.slice(0, 10) < today;
    // Hooks and imports have nobody to ask, and what the user has confirmed was read as it stands.
    const canAsk = !isRule && !context.isConfirmed && ["model", "person"].includes(context.actor.kind);
    const asked = canAsk ? open.filter(({ isVague }) => !isVague) : [];
    const questioned = once(open.filter((found) => !asked.includes(found)));
    return {
      draft: passed,
      warnings: [
        ...(isOver ? [`it names ${passed.expires} as its end: it is told only to who asks, as expired`] : []),
        ...once(put).map(({ text, becomes }) => `"${text}" is written as "${becomes}" (today is ${today})`),
        ...questioned.map(
          ({ text }) => `"${text}" will not mean the same in a month: give the date if one is meant`,
        ),
      ],
      ...(asked.length > 0 && { refusals: [refuse(once(asked), today)] }),
    };
  },
};

function refuse(asked: readonly RelativeDate[], today: Day): GateRefusal {
  return {
    gate: "relative-dates",
    reason: `nobody will know in a month what ${asked.map(({ text }) => `"${text}"`).join(", ")} meant (today is ${today})`,
    remedy: `${asked.map(askFor).join("; ")}; if it recurs, say "every"; if it is a name or somebody's words, put it in quotes`,
  };
}

/**
 * The question which dates a text of the user's means, for them; undefined where none is open.
 *
 * @param day on which they said it.
 */
export function questionOfDates(text: string, day: Day): string | undefined {
  const open = findRelativeDates(text, day).filter((one) => one.becomes === undefined && !one.isVague);
  const each = once(open).map(({ text: said, candidates }) =>
    candidates.length === 0 ? `which day is "${said}"?` : `is "${said}" ${candidates.join(" or ")}?`,
  );
  return each.length === 0 ? undefined : each.join(" ");
}

/** The question with the date: a writer that knows the day only has to say yes. */
function askFor({ text, candidates }: RelativeDate): string {
  return candidates.length === 0
    ? `give the date for "${text}" as YYYY-MM-DD`
    : `for "${text}", is ${candidates.map((one) => `"${one}"`).join(" or ")} meant? Then write that`;
}

/**
 * Puts dates in the place of the words that are certainly one day.
 *
 * @param found what `findRelativeDates` found in this text.
 */
export function putDates(text: string, found: readonly RelativeDate[]): string {
  let result = "";
  let at = 0;
  for (const { index, text: said, becomes } of found) {
    if (becomes === undefined) continue;
    result += text.slice(at, index) + becomes;
    at = index + said.length;
  }
  return result + text.slice(at);
}

/**
 * What stood there before today was meant against another day, and a quotation keeps its words: both are blanked out, at
 * the same length.
 */
function withoutOldLines(text: string, current: GateContext["current"]): string {
  const before = current ? `${current.description}\n${current.body}`.split("\n") : [];
  const old = new Set(before.map((line) => line.trim()));
  return text
    .split("\n")
    .map((line) => (old.has(line.trim()) || line.startsWith("> ") ? " ".repeat(line.length) : line))
    .join("\n");
}

function once(found: readonly RelativeDate[]): RelativeDate[] {
  return [...new Map(found.map((one) => [one.text, one])).values()];
}
