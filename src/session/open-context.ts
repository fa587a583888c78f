import { setTimeout as sleep } from "node:timers/promises";
import { defuseLine } from "../memory/delimit.ts";
import { problemWords } from "../machine/problem.ts";
import { brokenState } from "../here/trust/approve-texts.ts";
import type { Question } from "../here/api/inbox.ts";
import { type Place, tellsOfDamage } from "../here/place.ts";
import { logTrouble } from "../here/trouble-log.ts";
import { noteQuestions, readQuestionNotes } from "../here/records/question-notes.ts";
import { type SessionRecord, readSession, recordSession, untold } from "../here/records/session-state.ts";
import { waitingMemories } from "../here/trust/user-words.ts";
import { changesSince } from "./changes-since.ts";
import {
  ASKS_ITSELF,
  alarmPart,
  brokenPart,
  stalePart,
  countsPart,
  expiredPart,
  unapprovedPart,
  waitingPart,
  writeGuidePart,
  writerPart,
} from "./line-parts.ts";
import { mapPart } from "./map-here.ts";
import { openQuestions } from "./open-questions.ts";
import { rulesPart } from "./rules-here.ts";
import {
  type EventOutcome,
  type Opening,
  type OpeningPart,
  type Situation,
  NOTHING,
  lookAround,
  modeOf,
} from "./situation.ts";
import { unfinishedPart } from "./unfinished-work.ts";
import { isRepositoryLearnt } from "../machine/repository-identity.ts";
import { MAX_CONTEXT_CHARS, arrangeParts } from "./inject/context-parts.ts";
import { isGone } from "../machine/file-lock.ts";
import { redactSecrets } from "../memory/screening/find-secrets.ts";

/**
 * Opens a fresh context, the main one of a session or that of a subagent, with all parts that have something to say. What
 * does not fit into one answer beside the rules is left to the next answer in this context (`isRest`), where one can come.
 *
 * @param usedChars - Taken in the same answer by something else.
 */
export async function openContext(
  situation: Situation,
  about: { agent: string | undefined; client: string; session: string; broken?: string },
  { isRest = false, usedChars = 0 }: { isRest?: boolean; usedChars?: number } = {},
): Promise<EventOutcome> {
  const { place, collection } = situation;
  const questions = about.agent === undefined ? await openQuestions(place, collection) : [];
  const opening = { situation, questions, broken: "", ...about };
  // What one part cannot read must not silence the rules.
  const without = (error: unknown): undefined => {
    if (tellsOfDamage(error)) throw error;
    logTrouble("session start", error, place.env);
  };
  const makers = isRest ? OPENING_PARTS.slice(FIRST_PARTS) : OPENING_PARTS;
  const parts = await Promise.all(makers.map((part) => part(opening).catch(without)));
  const room = MAX_CONTEXT_CHARS - usedChars;
  const isMore =
    !isRest && about.session !== "" && arrangeParts(parts, Number.POSITIVE_INFINITY).text.length > room;
  const { text, injected } = arrangeParts(isMore ? parts.slice(0, FIRST_PARTS) : parts, room);
  const time = place.now().toISOString();
  const notice = about.agent === undefined && !isRest ? openingNotice(opening) : undefined;
  const records: SessionRecord[] = [
    {
      kind: "injected",
      time,
      ...(about.agent !== undefined && { agent: about.agent }),
      isBlock: true,
      ...(isMore && { isMore }),
      chars: text.length,
      memories: injected.flatMap(({ memories }) => memories),
    },
    ...injected.flatMap((part) => part.records ?? []),
  ];
  if (notice !== undefined) records.push({ kind: "noticed", time, what: "pending" });
  return {
    answer: { ...(text !== "" && { context: text }), ...(notice && { notice: notice.text }) },
    records,
    decisions: injected.flatMap(({ decisions }) => decisions),
    isCut: collection.isCut,
    afterwards: () => {
      notice?.afterwards();
      for (const part of injected) part.afterwards?.();
    },
  };
}

/** A session's start, or its return to its context (`isResumed`): says what is broken, and that it cannot be recorded. */
export async function startSession(
  situation: Situation,
  { client, session }: { client: string; session: string },
  isResumed: boolean,
  beside: { usedChars?: number } = {},
): Promise<EventOutcome> {
  const { place, collection } = situation;
  // Where there is no store nothing is in force, and nothing said becomes a rule.
  const isHeedHere = place.stores.length > 0;
  const lines = (isHeedHere ? await brokenState(place, collection) : []).map(
    (problem) => `heed: ${defuseLine(problemWords(problem))}`,
  );
  if (lines.length > MAX_INJECTED) lines.splice(MAX_INJECTED, Infinity, "heed: more is broken: heed status");
  const broken = lines.length === 0 ? "" : `${BROKEN_HEAD}\n${lines.join("\n")}`;
  const about = { agent: undefined, client, session, broken };
  const outcome = await (isResumed ? resumeContext(situation) : openContext(situation, about, beside));
  try {
    if (isHeedHere && session !== "") recordSession(place.places, session, []);
  } catch {
    lines.unshift(...untold(session));
  }
  const notice = [...lines, outcome.answer.notice ?? []].flat().join("\n");
  return notice === "" ? outcome : { ...outcome, answer: { ...outcome.answer, notice } };
}

const BROKEN_HEAD = "heed goes on with what was last good, or strict. Tell the user:";

/** The rest of an answer takes this long, in milliseconds. */
const RENDER_MS = 100;
const WHY_LATE = " (asked now, as no start of this session was answered)";

/**
 * Opens the context of a session that no start opened since it began, was cleared or compacted: the client gave the hook
 * up, or heed was not there yet. It never costs what the event brings beside it: what fails or is too slow is left to the
 * next event. A start that was recorded counts, although its client may have stopped listening: nobody can tell.
 */
export async function openLate(
  look: () => Promise<Situation>,
  { place, session, client }: { place: Place; session: string; client: string },
  { usedChars, deadlineAtMs }: { usedChars: number; deadlineAtMs: number },
): Promise<EventOutcome> {
  if (!beginOpening(place, session, true)) return NOTHING;
  try {
    const opening = look().then((here) => startSession(here, { client, session }, false, { usedChars }));
    const waitMs = deadlineAtMs - RENDER_MS - performance.now();
    const outcome = await Promise.race([opening, sleep(waitMs, NOTHING, { ref: false })]);
    const decisions = outcome.decisions.map((one) => ({ ...one, reason: `${one.reason}${WHY_LATE}` }));
    return { ...outcome, decisions };
  } catch (error) {
    if (tellsOfDamage(error)) throw error;
    logTrouble("session start, late", error, place.env);
    return NOTHING;
  }
}

/** A hook lives no longer, in milliseconds. */
const MAX_OPENING_MS = 5000;

/**
 * Notes that this process opens the main context; false where another one does at this moment, as some clients send the
 * first prompt before they have the answer at the start. A start gives way to prompts and tool uses alone. A session that
 * cannot be recorded is opened at its start alone: else the block would come each time.
 */
export function beginOpening({ places, now }: Place, session: string, isLate: boolean): boolean {
  const [time, by] = [now().toISOString(), `${process.pid} ${performance.now()}`];
  try {
    recordSession(places, session, [{ kind: "opening", time, by, isLate }]);
  } catch {
    return !isLate;
  }
  const { hasBlock, openings } = readSession(places, session).context;
  const first = openings.find((one) => {
    const isRecent = Date.parse(time) - Date.parse(one.time) < MAX_OPENING_MS;
    const isUnderWay = isRecent && (hasBlock || !isGone(Number.parseInt(one.by, 10)));
    return one.by === by || (isUnderWay && (isLate || one.isLate));
  });
  return first?.by === by;
}

/** A session that goes on in a context which already holds rules and map: only what changed since is told. */
async function resumeContext(situation: Situation): Promise<EventOutcome> {
  const { text, memories, decisions, records } = await changesSince(situation, undefined);
  const { isCut } = situation.collection;
  if (text === "") return { answer: {}, records, decisions: [], isCut };
  const time = situation.place.now().toISOString();
  return {
    answer: { context: text },
    records: [{ kind: "injected", time, isBlock: true, chars: text.length, memories }, ...records],
    decisions,
    isCut,
  };
}

/** So many of the parts come in the first answer, whatever else fits: what is broken, and the rules. */
const FIRST_PARTS = 4;
const OPENING_PARTS: readonly OpeningPart[] = [
  brokenPart,
  stalePart,
  alarmPart,
  rulesPart,
  mapPart,
  writeGuidePart,
  waitingPart,
  unfinishedPart,
  expiredPart,
  countsPart,
  writerPart,
  unapprovedPart,
];

/** So many things that wait are told at a session's start: more would be an interrogation. */
const MAX_INJECTED = 3;
const OTHERS = "others";

interface OpeningNotice {
  text: string;
  afterwards: () => void;
}

/** Once in a session, and each thing once a day. */
function openingNotice({ situation, questions, session, client }: Opening): OpeningNotice | undefined {
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
  const injected = [...due.filter(({ until }) => until !== undefined), ...items.slice(0, MAX_INJECTED)];
  const more = items.length - MAX_INJECTED;
  const others = waitingMemories(place.places, collection, collection.memories()).length;
  const isOthersDue = others > 0 && isDue(OTHERS);
  const lines = [
    ...injected.map((question) => noticeOf(question, ASKS_ITSELF.has(client))),
    ...(more > 0 ? [`${more} more: heed inbox`] : []),
    ...(isOthersDue
      ? [
          `${others === 1 ? "1 memory from another tool or machine needs" : `${others} memories from other tools or machines need`} your approval: heed inbox`,
        ]
      : []),
  ];
  if (lines.length === 0) return undefined;
  const keys = [...injected.map(({ code }) => code), ...(isOthersDue ? [OTHERS] : [])];
  return { text: lines.join("\n"), afterwards: () => noteQuestions(place.places, "shown", keys, now) };
}

function noticeOf(question: Question, hasDialog: boolean): string {
  const { code, kind, text, detail, until, isQuiet, name } = question;
  const [yes, no] = [`heed yes ${code}`, `heed no ${code}`];
  // One voice: what a dialog asks has no code beside it.
  if (hasDialog && until !== undefined && isQuiet !== true) return `${until} heed asks you; or run ${name}`;
  if (kind === "trust")
    return isQuiet === true
      ? `${until} Look at them and approve: ${name}`
      : `${until} Approve: type ${yes}, or run ${name}.`;
  return `Needs your approval, not in force: ${text}${detail === undefined ? "" : ` (${detail})`} Type ${yes} or ${no}.`;
}

/** Somebody waits for it, but no session does; in milliseconds. */
const DEADLINE_MS = 10_000;
/** A reader that has no session: it gets what a subagent gets, rules and map, and nothing of what waits or goes on. */
const READER = "document";

/**
 * What a fresh context here is told, rules and map, without leaving a trace; empty when there is nothing. For readers
 * that are told by no hook: a file that agents read, a server's instructions.
 *
 * @param options - `stores`: `project` leaves out what is the user's own, for a file that others read. Default `all`.
 */
export async function openingText(
  place: Place,
  { stores = "all" }: { stores?: "all" | "project" | undefined } = {},
): Promise<string> {
  const situation = await readerSituation(place, stores);
  if (!situation) return "";
  const { answer } = await openContext(situation, {
    agent: READER,
    client: "heed",
    session: "",
  });
  return redactSecrets(answer.context ?? "");
}

/** The situation of a reader that has no session; undefined in mode off. */
export async function readerSituation(
  place: Place,
  stores: "all" | "project",
): Promise<Situation | undefined> {
  const session = readSession(place.places, "", READER);
  const mode = modeOf(session, place);
  if (mode === "off") return undefined;
  const some = stores === "all" ? undefined : place.stores.filter(({ kind }) => kind === "project");
  return lookAround(place, session, mode, DEADLINE_MS, some);
}

/** A session may wait so long for git, in milliseconds, the first time it starts in a repository. */
const MAX_WAIT_MS = 400;

/**
 * Learns what the repository at hand is called when it is new to this machine, so that memories of a clone, a fork or
 * a copy without a remote hold here from the first session on. Costs a few file reads where it is known; a walk that
 * takes longer goes on while the session starts, and the next one has its result.
 */
export async function learnPlace(place: Place): Promise<void> {
  const { cwd, places, env } = place;
  try {
    // Without memories there is nothing that could hold here.
    if (place.stores.length === 0 || isRepositoryLearnt(cwd, places)) return;
    const learning = place.learnRepository().catch((error: unknown) => {
      logTrouble("repository", error, env);
    });
    await Promise.race([learning, sleep(MAX_WAIT_MS, undefined, { ref: false })]);
  } catch (error) {
    logTrouble("repository", error, env);
  }
}
