import type { Box, BoxRequest, Question } from "../api/inbox.ts";
import type { Place } from "../place/place.ts";
import { readQuestionNotes } from "../records/question-notes.ts";
import { readSession, userTurns, recordSession } from "../records/session-state.ts";
import { modeOf } from "../session/situation.ts";
import { isAnsweredBySettings, isTriedClient } from "./dialog-door.ts";
import { boxesOf, questionsHere } from "./questions-here.ts";

/** So often a session's user is asked by a dialog, whatever about. */
export const MAX_BOXES: number = 3;
const MAX_QUESTIONS = 3;
/** All of a dialog's words; questions that do not fit wait for the next. */
export const MAX_BOX_CHARS: number = 1500;
/** Who typed longer ago may have gone: a dialog would hold up nobody's work and be answered by accident. */
const MAX_AGE_MS = 2 * 60_000;

/** What a dialog may ask now; it counts against the session's limit from here on, whatever comes of it. */
export async function nextBox(place: Place, about: BoxRequest): Promise<Box | undefined> {
  const { session, agent, client, version, settings, call } = about;
  if (session === "" || (agent ?? "") !== "" || modeOf(readSession(place.places, session), place) === "off")
    return undefined;
  const now = place.now();
  if (!isPersonThere(place, session, now)) return undefined;
  const boxes = boxesOf(place, session);
  if (boxes.length >= MAX_BOXES) return undefined;
  const asked = new Set(boxes.flatMap(({ codes }) => codes));
  const open = (await questionsHere(place, session)).filter(({ code }) => !asked.has(code));
  const due =
    call === undefined
      ? dueOf(place, open, session)
      : open.filter(({ code, isQuiet }) => code === call && isQuiet !== true);
  if (due.length === 0 || isAnsweredBySettings(place, settings)) return undefined;
  // A client that was not tried is asked one question, whose answer only shows that it can ask.
  const isTrial =
    !isTriedClient(client, version) && readQuestionNotes(place.places).dialogs[client] === undefined;
  const questions = fitting(due.slice(0, isTrial ? 1 : MAX_QUESTIONS));
  if (questions.length === 0) return undefined;
  const codes = questions.map(({ code }) => code);
  const time = now.toISOString();
  recordSession(place.places, session, [{ kind: "boxed", time, codes, ...(isTrial && { isTrial }) }]);
  return { message: messageOf(questions), questions };
}

/** Whether somebody has typed in this session, and lately: headless and scheduled turns are recorded without a word. */
function isPersonThere({ places }: Place, session: string, now: Date): boolean {
  const last = userTurns(places, session).findLast(({ text }) => text !== "");
  return last !== undefined && now.getTime() - Date.parse(last.time) <= MAX_AGE_MS;
}

/** What this session's model has proposed, then what the place itself asks; nothing else is this user's matter now. */
function dueOf({ places }: Place, open: readonly Question[], session: string): Question[] {
  const { declined } = readQuestionNotes(places);
  const loud = open.filter(({ isQuiet, kind }) => isQuiet !== true && kind !== "allow");
  return [
    ...loud.filter((question) => question.until === undefined && question.session === session),
    ...loud.filter(({ until, code }) => until !== undefined && declined[code] === undefined),
  ];
}

/** The questions that can be shown whole, in their order. */
function fitting(questions: readonly Question[]): Question[] {
  const kept: Question[] = [];
  for (const question of questions)
    if (messageOf([...kept, question]).length <= MAX_BOX_CHARS) kept.push(question);
  return kept;
}

function messageOf(questions: readonly Question[]): string {
  const lines = questions.map(({ text, detail }) => (detail === undefined ? text : `${text} (${detail})`));
  const [only = ""] = lines;
  return lines.length === 1 ? only : lines.map((line, i) => `${i + 1}. ${line}`).join("\n");
}
