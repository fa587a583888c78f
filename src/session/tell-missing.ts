import { setTimeout as sleep } from "node:timers/promises";
import { defuseLine } from "../memory/shown-text.ts";
import { type Problem, problemWords } from "../machine/heed-error.ts";
import { absentFolders, brokenState } from "../here/consent/review-store.ts";
import { openQuestions } from "./open-questions.ts";
import { type Place, tellsOfDamage } from "../here/place.ts";
import { logTrouble } from "../here/trouble-log.ts";
import { recheckMs } from "../here/user-config.ts";
import { noteQuestions, readQuestionNotes } from "../here/records/question-notes.ts";
import {
  type Need,
  FRESH,
  LATER,
  injectedRecord,
  readSession,
  recordSession,
  untold,
} from "../here/records/session-state.ts";
import { tellChanges } from "./changes-since.ts";
import { mapPart } from "./map-here.ts";
import { rulesPart } from "./rules-here.ts";
import {
  type ContextPart,
  type FactSituation,
  type Opening,
  type OpeningPart,
  type Outcome,
  type Situation,
  GAP,
  MAX_CONTEXT_CHARS,
  NOTHING,
  OPENING_MS,
  charsOf,
  joinOutcomes,
} from "./situation.ts";
import { unfinishedPart } from "./unfinished-work.ts";
import type { Mode } from "../store/config/store-config.ts";
import { keepGoodState } from "../here/consent/rule-approvals.ts";
import { isRepositoryLearnt } from "../machine/repository-identity.ts";
import type { HeardEvent } from "../here/records/session-events.ts";
import { beginStarts } from "./program-starts.ts";
import * as lines from "./line-parts.ts";

/** What nobody answered for so long waits in the inbox without a word at a start. */
const REMINDED_MS = 14 * 24 * 3_600_000;

type ContextOwner = Pick<Opening, "agent" | "client" | "session">;

const ALL: readonly Mode[] = ["typed", "pull", "rules"];
const FACTS: readonly Mode[] = ["typed", "pull"];
const TYPED: readonly Mode[] = ["typed"];

/** What can be told, in its order: the need that it meets, in which modes, and whether to the main context alone. */
const PARTS: readonly [Need, OpeningPart, modes: readonly Mode[], isMain?: "main"][] = [
  ["notice", brokenPart, ALL, "main"],
  ["notice", lines.stalePart, ALL],
  ["notice", lines.aroundPart, ALL, "main"],
  ["notice", lines.alarmPart, FACTS, "main"],
  ["rules", rulesPart, ALL],
  ["map", mapPart, ALL],
  ["map", lines.writeGuidePart, FACTS, "main"],
  ["question", lines.waitingPart, ALL],
  ["map", unfinishedPart, TYPED, "main"],
  ["map", lines.countsPart, FACTS],
  ["map", lines.bareFactsPart, TYPED, "main"],
  ["question", lines.writerPart, FACTS, "main"],
  ["question", lines.unapprovedPart, FACTS],
];

/** Adds to what an event is told what its context lacks: an opening and changes before it, the rest of an opening after it. */
export async function tellMissing(
  needs: readonly Need[],
  situation: FactSituation,
  owner: ContextOwner,
  { told, hasStarts }: { told: Outcome; hasStarts: boolean },
): Promise<Outcome> {
  const usedChars = charsOf(told) + 2;
  const isRest = needs.includes("map") && !needs.includes("rules");
  const block = isRest
    ? await tellRest(needs, situation, owner, { told, usedChars })
    : needs.includes("changes")
      ? await tellChanges(situation, owner.agent, told)
      : await openLate(situation, owner, { usedChars, hasStarts });
  const joined = isRest ? joinOutcomes(told, block) : joinOutcomes(block, told);
  // A body that this event brought stays one, whatever line the map has of it.
  return { ...joined, memories: [...(block.memories ?? []), ...(told.memories ?? [])] };
}

/** So many answers may try to tell the rest of an opening, beside the one that left it over. */
const MAX_TRIES = 3;
const GIVEN_UP =
  "heed has too many memories here to list them in the time that it has: memory_search finds what is relevant.";

/** The rest of an opening, after what changed since its first answer. Where time is short again and again it is given up. */
async function tellRest(
  needs: readonly Need[],
  situation: FactSituation,
  owner: ContextOwner,
  { told, usedChars }: { told: Outcome; usedChars: number },
): Promise<Outcome> {
  const { place, session } = situation;
  const { agent } = owner;
  const isMore = session.context.tries <= MAX_TRIES;
  if (!isMore) return { context: GIVEN_UP, block: { isMore } };
  try {
    // Noted before it is made: it may be cut off.
    recordSession(place.places, owner.session, [injectedRecord(place.now(), { agent, block: { isMore } })]);
  } catch {
    return NOTHING;
  }
  // Asked before rules are compared, which takes as long.
  if (!(await situation.hasTimeForAll())) return NOTHING;
  const here = await situation.checked();
  const changes = await tellChanges(here, agent, told);
  const beside = usedChars + charsOf(changes);
  return joinOutcomes(changes, await openContext(here, owner, needs, beside));
}

/** Tells a context what it lacks. What does not fit beside the rules is left to the next answer. */
export async function openContext(
  situation: Situation,
  owner: ContextOwner,
  needs: readonly Need[],
  usedChars = 0,
): Promise<Outcome> {
  const { place, collection } = situation;
  const isMain = owner.agent === undefined;
  // Rules are looked up alone; the rest looks through all memories.
  const hasTime = await situation.hasTimeForAll();
  const oldest = new Date(place.now().getTime() - REMINDED_MS).toISOString();
  const questions =
    isMain && hasTime
      ? (await openQuestions(place, collection)).filter(({ since }) => since === undefined || since > oldest)
      : [];
  const opening = { situation, questions, ...owner };
  // What one part cannot read must not silence the rules.
  const without = (error: unknown): undefined => {
    if (tellsOfDamage(error)) throw error;
    logTrouble("session start", error, place.env);
  };
  const now = needs.filter((need) => hasTime || !LATER.includes(need));
  const lacking = PARTS.filter(
    ([need, , modes, main]) => now.includes(need) && modes.includes(situation.mode) && (isMain || !main),
  );
  const parts = await Promise.all(
    lacking.map(async ([need, part]) => ({ need, part: asPart(await part(opening).catch(without)) })),
  );
  const all = parts.map(({ part }) => part);
  const room = MAX_CONTEXT_CHARS - usedChars;
  const isFirst = needs.includes("rules");
  const isTooLong = isFirst && charsOf(joinOutcomes(...arrangeParts(all, Infinity))) > room;
  const isMore = owner.session !== "" && (isTooLong || now.length < needs.length);
  const first = parts.filter(({ need }) => !LATER.includes(need)).map(({ part }) => part);
  const told = arrangeParts(isMore ? first : all, room);
  // What changes until the rest is told, or given up, counts from here.
  if (isFirst && isMore) told.push({ records: [situation.mapMark(owner.agent, false)] });
  const notice = isMain && isFirst && hasTime ? lines.openingNotice(opening) : NOTHING;
  return { ...joinOutcomes(...told, notice), block: { isMore } };
}

/** Renders parts in order, each within its budget and the room left; room reserved for later parts is kept. */
function arrangeParts(
  given: readonly (ContextPart | undefined)[],
  maxChars: number = MAX_CONTEXT_CHARS,
): Outcome[] {
  const parts = given.filter((part) => part !== undefined);
  const told: Outcome[] = [];
  let leftChars = maxChars;
  let reservedChars = parts.reduce((sum, part) => sum + part.reservedChars + GAP.length, 0);
  for (const part of parts) {
    reservedChars -= part.reservedChars + GAP.length;
    const limitChars = Math.max(0, leftChars - reservedChars);
    const rendered = part.render({ budgetChars: Math.min(part.budgetChars, limitChars), limitChars });
    if (rendered === undefined) continue;
    told.push(rendered);
    if (rendered.context) leftChars -= rendered.context.length + GAP.length;
  }
  return told;
}

function asPart(given: Awaited<ReturnType<OpeningPart>>): ContextPart | undefined {
  if (given === undefined || given === "") return undefined;
  if (typeof given !== "string" && "render" in given) return given;
  const told = typeof given === "string" ? { context: given } : given;
  const { length } = told.context ?? "";
  return {
    budgetChars: length,
    reservedChars: length,
    render: ({ budgetChars }) => (length > budgetChars ? undefined : told),
  };
}

const MAX_NAMED = 3;
const UNANSWERED = "unanswered";
const BROKEN_HEAD = "heed goes on with what was last good, or strict. Tell the user:";

/** What is broken at a session's start or return, and that it cannot be recorded. */
async function brokenPart({ situation, session }: Pick<Opening, "situation" | "session">): Promise<Outcome> {
  const { place, collection } = situation;
  // Where there is no store nothing is in force, and nothing said becomes a rule.
  const isHeedHere = place.stores.length > 0;
  const { shown } = readQuestionNotes(place.places);
  const problems = isHeedHere ? await brokenState(place, collection, shown[UNANSWERED]) : [];
  const said = (problem: Problem): string => `heed: ${defuseLine(problemWords(problem))}`;
  const broken = problems.map(said);
  if (broken.length > MAX_NAMED) broken.splice(MAX_NAMED, Infinity, "heed: more is broken: heed doctor");
  const absent = (await absentFolders(place)).map(said);
  const unrecorded: string[] = [];
  try {
    if (isHeedHere && session !== "") recordSession(place.places, session, []);
  } catch {
    unrecorded.push(...untold(session));
  }
  const toldNow = problems.some(({ code }) => code === UNANSWERED) ? [UNANSWERED] : [];
  return {
    context: [...absent, ...(broken.length === 0 ? [] : [BROKEN_HEAD, ...broken])].join("\n"),
    notice: [...unrecorded, ...broken, ...absent].join("\n"),
    afterwards: () => noteQuestions(place.places, "shown", toldNow, new Date().toISOString()),
  };
}

const RENDER_MS = 100;

/** Opens a context that no start opened: a hook given up, or heed not there yet. What fails or is slow waits for the next event. */
async function openLate(
  situation: FactSituation,
  owner: ContextOwner,
  { usedChars, hasStarts }: { usedChars: number; hasStarts: boolean },
): Promise<Outcome> {
  const { place } = situation;
  if (performance.now() > place.call.deadlineAtMs) return outOfTime(place);
  if (!beginOpening(place, owner.session, true, hasStarts)) return NOTHING;
  try {
    const opening = situation.checked().then((here) => openContext(here, owner, FRESH, usedChars));
    const waitMs = Math.max(0, place.call.deadlineAtMs - RENDER_MS - performance.now());
    return (await Promise.race([opening, sleep(waitMs, undefined, { ref: false })])) ?? outOfTime(place);
  } catch (error) {
    if (tellsOfDamage(error)) throw error;
    logTrouble("session start, late", error, place.env);
    return NOTHING;
  }
}

function outOfTime({ call }: Place): Outcome {
  call.cut.set("", {});
  return { isCut: true };
}

const MAX_OPENING_MS = 5000;

/** Notes that this process opens the main context; false where another does: some clients send a prompt before the start is answered. */
function beginOpening(place: Place, session: string, isLate: boolean, hasStarts = true): boolean {
  if (session === "") return true;
  const { places, now, call } = place;
  // Nobody waits for what it would open.
  if (performance.now() > call.deadlineAtMs) return false;
  const [time, by] = [now().toISOString(), `${process.pid} ${performance.now()}`];
  try {
    recordSession(places, session, [{ kind: "opening", time, by, isLate }]);
  } catch {
    return !isLate || !hasStarts;
  }
  const first = readSession(places, session).context.openings.find((one) => {
    const isRecent = Date.parse(time) - Date.parse(one.time) < MAX_OPENING_MS;
    return one.by === by || (isRecent && (isLate || one.isLate));
  });
  return first?.by === by;
}

/** Begins a session, or goes on with one: asks git what no prompt has the time for, and tells what the context lacks. */
export async function answerStart(
  place: Place,
  event: HeardEvent & { kind: "session-start" },
  look: () => Promise<Situation>,
): Promise<Outcome> {
  const isSeen = event.reach !== "none";
  const isFirst = !isSeen || event.session === "" || beginOpening(place, event.session, false);
  if (!isFirst && event.source === "startup") return NOTHING;
  await learnPlace(place);
  keepGoodState(place);
  const { collection } = await look();
  if (place.repository !== undefined && collection.stores.length > 0) {
    // No prompt waits for git.
    const { refreshVerdicts } = await import("../here/claims/claim-checker.ts");
    await refreshVerdicts(place, recheckMs(place, OPENING_MS), false);
  }
  const here = await look();
  try {
    await beginStarts(here, event);
  } catch (error) {
    logTrouble("starts of guarded programs", error, place.env);
  }
  if (!isSeen) return NOTHING;
  const { context, isKnown } = here.session;
  const isOpen = !context.missing.includes("rules");
  const isKept = event.source === "resume" && isOpen;
  const isEpoch = isKnown && event.source !== "resume";
  const time = place.now().toISOString();
  const records = isEpoch ? [{ kind: "epoch", time, why: event.source } as const] : [];
  const { client, session } = event;
  if (!isKept) return joinOutcomes({ records }, await openContext(here, { client, session }, FRESH));
  const broken = await brokenPart({ situation: here, session });
  return joinOutcomes({ ...broken, context: "" }, await tellChanges(here, undefined, NOTHING, true));
}

const MAX_WAIT_MS = 400;

/** Learns a new repository's name, so that memories of a clone or fork hold here from the first session on. */
async function learnPlace(place: Place): Promise<void> {
  const learn = async (): Promise<void> => {
    // Without memories there is nothing that could hold here.
    if (place.stores.length > 0 && !isRepositoryLearnt(place.cwd, place.places))
      await place.learnRepository();
  };
  const learning = learn().catch((error: unknown) => logTrouble("repository", error, place.env));
  await Promise.race([learning, sleep(MAX_WAIT_MS, undefined, { ref: false })]);
}
