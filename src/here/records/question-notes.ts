import { join } from "node:path";
import { FORMATS, readVersioned, writeVersioned } from "../../machine/state-file.ts";
import type { Places } from "../../machine/places.ts";

interface QuestionNotes {
  shown: Readonly<Record<string, string>>;
  boxed: Readonly<Record<string, string>>;
  /** The user said no to what stays as it is then: a review. */
  declined: Readonly<Record<string, string>>;
}

const MAX_KEPT = 100;

const fileOf = (places: Places): string => join(places.state, "questions.json");

export function readQuestionNotes(places: Places): QuestionNotes {
  const { shown, boxed, declined } = readVersioned(fileOf(places), FORMATS.questions) ?? {};
  return { shown: timesIn(shown), boxed: timesIn(boxed), declined: timesIn(declined) };
}

/** A damaged note is left out: a session's start reads them. */
const timesIn = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(value ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );

/** Notes something about questions or clients. Two writers at once may lose one note: it is asked once more then. */
export function noteQuestions(
  places: Places,
  kind: keyof QuestionNotes,
  keys: readonly string[],
  time: string,
): void {
  if (keys.length === 0) return;
  const notes = readQuestionNotes(places);
  const times = { ...notes[kind], ...Object.fromEntries(keys.map((key) => [key, time])) };
  const newest = Object.entries(times)
    .sort(([, a], [, b]) => b.localeCompare(a))
    .slice(0, MAX_KEPT);
  writeVersioned(fileOf(places), FORMATS.questions, { ...notes, [kind]: Object.fromEntries(newest) });
}
