import type { Question } from "../api/consent.ts";
import { noteQuestions, readQuestionNotes } from "../records/question-notes.ts";
import { waitingMemories } from "../trust/user-words.ts";
import type { Opening } from "./opening-part.ts";

/** So many things that wait are told at a session's start: more would be an interrogation. */
const MAX_TOLD = 3;
/** The key under which is noted that memories of other tools wait. */
const OTHERS = "others";

/** Lines for the user, and what is noted once they are out. */
export interface OpeningNotice {
  text: string;
  afterwards: () => void;
}

/**
 * What the user is told when a session opens, once in a session and each thing once a day: what waits for their answer
 * here, with the code of the answer. Undefined for nothing.
 */
export function openingNotice({ situation, questions, session }: Opening): OpeningNotice | undefined {
  const { place, collection } = situation;
  if (situation.session.noticed.has("pending")) return undefined;
  const now = place.now().toISOString();
  const { shown, declined } = readQuestionNotes(place.places);
  const isDue = (key: string): boolean => shown[key]?.slice(0, 10) !== now.slice(0, 10);
  const due = questions.filter(
    // What would hold everywhere is a matter of the session that proposed it.
    ({ code, isEverywhere, session: asked }) =>
      (isEverywhere !== true || asked === session) && isDue(code) && declined[code] === undefined,
  );
  const items = due.filter(({ until, isQuiet }) => until === undefined && isQuiet !== true);
  const told = [...due.filter(({ until }) => until !== undefined), ...items.slice(0, MAX_TOLD)];
  const more = items.length - MAX_TOLD;
  const others = waitingMemories(place.places, collection, collection.cards()).length;
  const isOthersDue = others > 0 && isDue(OTHERS);
  const lines = [
    ...told.map(noticeOf),
    ...(more > 0 ? [`${more} more: heed inbox`] : []),
    ...(isOthersDue
      ? [
          `${others === 1 ? "1 memory from another tool or machine needs" : `${others} memories from other tools or machines need`} your approval: heed inbox`,
        ]
      : []),
  ];
  if (lines.length === 0) return undefined;
  const keys = [...told.map(({ code }) => code), ...(isOthersDue ? [OTHERS] : [])];
  return { text: lines.join("\n"), afterwards: () => noteQuestions(place.places, "shown", keys, now) };
}

/** A question as a line to whom no dialog is shown. */
export function noticeOf({ code, kind, text, detail, until, isQuiet, name }: Question): string {
  const [yes, no] = [`heed yes ${code}`, `heed no ${code}`];
  if (kind === "place") return `${until} type ${yes} (the same) or ${no} (another).`;
  if (kind === "trust")
    return isQuiet === true
      ? `${until} Look at them and approve: ${name}`
      : `${until} Approve: type ${yes}, or run ${name}.`;
  return `Needs your approval, not in force: ${text}${detail === undefined ? "" : ` (${detail})`}. Type ${yes} or ${no}.`;
}
