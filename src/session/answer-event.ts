import { setTimeout as sleep } from "node:timers/promises";
import type { EventAnswer, HeardEvent, SessionEvent } from "../here/records/session-events.ts";
import { type DeferredWork, type Place, withSoundIndex } from "../here/place.ts";
import { logTrouble } from "../here/trouble-log.ts";
import { modeHere } from "../here/user-config.ts";
import type { AnnouncedMemory } from "../here/records/announcements.ts";
import { appendReceipt, makeReceipt, pruneReceipts } from "../here/records/receipt-log.ts";
import { isLineOfCall } from "../here/records/heed-in-calls.ts";
import { pruneUse } from "../here/records/use-log.ts";
import {
  type SessionState,
  USERLESS,
  hasUser,
  injectedRecord,
  pruneSessions,
  readSession,
  recordSession,
  untold,
} from "../here/records/session-state.ts";
import { missingFrom, outcomeOf } from "./outcome-of-event.ts";
import { type EventOutcome, type Outcome, joinOutcomes, noticed, openForFacts } from "./situation.ts";
import { defuseLine } from "../memory/shown-text.ts";
import { withoutPrivate } from "../memory/typed-text.ts";
import { whyLate } from "../machine/places.ts";
import { type Formula, readFormula, whyNoFormula } from "../memory/formula.ts";
import { redactSecrets } from "../memory/screening/find-secrets.ts";

/** Of an event's time, what an administrator's trust may take: the rest is for the guards. */
const TRUST_SHARE = 0.7;

/** Answers an event of a session. What it throws is for the log: the model never hears of trouble. */
export async function answerEvent(
  place: Place,
  given: SessionEvent,
  afterwards: DeferredWork,
  /** `isWanted` is asked once, when it is known what the event leads to. */
  {
    wholeMs,
    isWanted = () => true,
    run,
  }: { wholeMs: number; isWanted?: (() => boolean) | undefined; run: RunFormula },
): Promise<EventAnswer> {
  const startedAt = performance.now();
  const event = normaliseEvent(given);
  // A session may move to another directory.
  const there = event.cwd === "" ? place : place.at(event.cwd);
  const { agentId: agent } = event;
  const known = readSession(there.places, event.session, agent);
  const begun = await beginSession(there, event, known, wholeMs * TRUST_SHARE);
  const session = { ...known, noticed: new Set([...known.noticed, ...begun.noted]) };
  const mode = modeHere(there, session.mode);
  there.call.deadlineAtMs = startedAt + wholeMs;
  let isCounted: boolean | undefined;
  const counts = (): boolean => (isCounted ??= isWanted());
  const outcome =
    (mode === "off" ? undefined : await formulaOutcome(there, event, run, counts)) ??
    (await inTime(there, event, (at) => outcomeOf(at, event, session)));
  // The process that asked did not wait, and answers by itself.
  if (!counts()) return {};
  // Also where heed is off: a variable may have switched it off.
  const hasReader = ["session-start", "prompt", "tool-use", "stop"].includes(event.kind);
  const { keepWatch } = await import("./above-heed.ts");
  const isNews = hasReader && keepWatch(there, event.kind === "session-start");
  const told = [unread(there, event), begun, await announcements(there, event, session, isNews)];
  const announced = joinOutcomes(outcome, ...told);
  if (there.call.cut.size > 0) {
    const { startIndexing } = await import("../here/capture-queue.ts");
    afterwards.later(() => startIndexing(there));
  }
  if (mode !== "off") await captureLater(there, event, afterwards);
  const elapsedMs = performance.now() - startedAt;
  const isCut = announced.isCut || there.call.cut.size > 0;
  return conclude(there, event, { ...announced, isCut, agent, elapsedMs }, afterwards);
}

/** At a session's first event alone trusts what an administrator does; at each start notes where no user sits before it. */
async function beginSession(
  place: Place,
  event: HeardEvent,
  { isKnown }: SessionState,
  timeoutMs: number,
): Promise<Outcome & { noted: string[] }> {
  const isFirst = !isKnown && (event.session !== "" || event.kind === "session-start");
  const isPolicys = isFirst && place.stores.some(({ kind }) => kind === "project");
  const isUserless = event.kind === "session-start" && !event.isTyped;
  const noted = [...(isUserless ? [USERLESS] : []), ...(isPolicys ? ["policy"] : [])];
  try {
    if (noted.length > 0 && event.session !== "")
      recordSession(place.places, event.session, noticed(place, ...noted));
    const byPolicy = isPolicys
      ? await (await import("../here/consent/policy-trust.ts")).trustByPolicy(place, true, timeoutMs)
      : undefined;
    const said = [...(isFirst ? whyLate(place.env) : []), ...(byPolicy?.problems ?? [])]
      .map((one) => `heed: ${defuseLine(one).slice(0, 400)}`)
      .join("\n");
    return { notice: said, context: event.reach === "none" ? "" : said, noted };
  } catch (error) {
    logTrouble("a session's beginning", error, place.env);
    return { noted };
  }
}

type RunFormula = (
  place: Place,
  formula: Formula,
  about: { session: string; client: string; isOfCall: boolean },
) => Promise<{ notice: string; context: string }>;

/** Runs a formula that the user typed, and tells nothing else: no model can rest anything on the turn. */
async function formulaOutcome(
  place: Place,
  event: HeardEvent,
  run: RunFormula,
  counts: () => boolean,
): Promise<Outcome | undefined> {
  if (event.kind !== "prompt" || !event.isTyped || event.agentId !== undefined) return undefined;
  const formula = readFormula(event.prompt);
  if (!formula || !counts()) return undefined;
  const { session, client } = event;
  // A model's program can type into the user's terminal.
  const isOfCall = isLineOfCall(place.places, event.prompt, session, place.now());
  const outcome = await run(place, formula, { session, client, isOfCall });
  // Where a prompt's answer reaches nobody, the next one that does tells it.
  if (event.reach === "none") {
    const { announceLater } = await import("../here/records/announcements.ts");
    announceLater(place.places, { forModel: outcome.context, where: place.workRoot });
    return outcome;
  }
  try {
    // What the formula did is in the session's log by now.
    const situation = await openForFacts(place, readSession(place.places, session));
    if (!missingFrom(situation, event).includes("changes")) return outcome;
    const { tellChanges } = await import("./changes-since.ts");
    return joinOutcomes(await tellChanges(situation, undefined, outcome), outcome);
  } catch (error) {
    logTrouble("what a formula changed", error, place.env);
    return outcome;
  }
}

/** What waits to be told: to the user also at a turn's end, to the model where it hears the answer. */
async function announcements(
  place: Place,
  event: HeardEvent,
  session: SessionState,
  isNews: boolean,
): Promise<Outcome> {
  if (event.agentId !== undefined) return {};
  const isStop = event.kind === "stop" && event.client === "claude-code";
  const isBegun = event.kind === "prompt" || event.kind === "session-start";
  const isLate = event.kind === "tool-use" && ((isNews && event.reach !== "none") || event.reach === "late");
  if (!isStop && !isLate && !isBegun) return {};
  // A headless or nested session must not use a line up. A prompt is recorded once its answer is out, and some clients report none.
  const isFirst = isLate && session.trail.every(({ kind }) => kind !== "turn");
  if (isBegun ? !event.isTyped : !isFirst && !hasUser(session)) return {};
  const { takeAnnouncements } = await import("../here/records/announcements.ts");
  const isModelSeen = !isStop && event.reach !== "none";
  const isSo = async (announced: readonly AnnouncedMemory[]) => {
    const { openCollection } = await import("../here/collection.ts");
    const { isStillSo } = await import("../here/consent/standing.ts");
    const collection = await openCollection(place);
    if (collection.isCut) return undefined;
    return announced.filter((about) => isStillSo(collection, about, place.now()));
  };
  const { lines, forModel } = await takeAnnouncements(place.places, place.workRoot, isSo, isModelSeen);
  const isAsked = event.kind === "prompt" && modeHere(place, session.mode) !== "off";
  const misread = (isAsked && whyNoFormula(event.prompt)) || [];
  const said = [untold(event.session), misread, lines].flat();
  const context = forModel.map((line) => `heed: ${defuseLine(line)}`).join("\n\n");
  return { notice: said.join("\n"), context };
}

const UNREAD =
  "heed is still reading this machine's memories: what it tells now is in force, and may lack some. The rest follows.";

function unread(place: Place, { kind, reach }: HeardEvent): Outcome {
  const isTold =
    kind === "session-start" || kind === "prompt" || (kind === "tool-use" && place.call.cut.has(""));
  if (place.call.cut.size === 0 || reach === "none" || !isTold) return {};
  return { context: UNREAD, notice: kind === "session-start" ? UNREAD : "" };
}

/** The session is read by another process; where no program is known for that, here, when the answer is out. */
async function captureLater(place: Place, event: HeardEvent, afterwards: DeferredWork): Promise<void> {
  if (event.agentId !== undefined || event.session === "" || event.kind.startsWith("tool-")) return;
  const { requestCapture } = await import("../here/capture-queue.ts");
  afterwards.later(() => requestCapture(place, event), { isRequestNext: event.kind === "prompt" });
}

/** A context that is told nothing in time is told so, and opened by the next event. @throws Error for other events. */
async function inTime(
  place: Place,
  event: HeardEvent,
  work: (at: Place) => Promise<Outcome>,
): Promise<Outcome> {
  const answered = new AbortController();
  const deadlineMs = Math.max(1, Math.round(place.call.deadlineAtMs - performance.now()));
  const late = sleep(deadlineMs, undefined, answered).then((): Outcome => {
    const why = `no answer within ${deadlineMs} ms`;
    if (event.kind !== "session-start" && event.kind !== "prompt") throw new Error(why);
    logTrouble("unanswered", why, place.env);
    place.call.cut.set("", {});
    if (event.kind === "prompt") return { isCut: true };
    // A process that stays would else count as one that opens it still.
    const records = [{ kind: "epoch", time: place.now().toISOString(), why: event.source } as const];
    return { records, isCut: true };
  });
  return Promise.race([withSoundIndex(place, work), late]).finally(() => answered.abort());
}

function conclude(
  place: Place,
  event: HeardEvent,
  outcome: EventOutcome & { agent: string | undefined; elapsedMs: number },
  afterwards: DeferredWork,
): EventAnswer {
  const { places } = place;
  // A hand edit passes no gate: what it may hold is not told on.
  const context = redactSecrets(outcome.context ?? "");
  const { decision: decided } = outcome;
  const decision = decided && { ...decided, reason: redactSecrets(decided.reason) };
  const sendBack = redactSecrets(outcome.sendBack ?? "");
  const injected = [decision?.reason ?? "", sendBack, context].filter((text) => text !== "").join("\n\n");
  const isNoted = injected !== "" || outcome.decisions.some(({ guard }) => guard);
  const receipt = !isNoted ? undefined : makeReceipt(place, event, outcome);
  const record = (): void => {
    outcome.afterwards?.();
    const { memories, block, records } = outcome;
    const entered = block || memories.length > 0 ? [injectedRecord(place.now(), outcome)] : [];
    const all = [...records, ...entered];
    // A client that names no session cannot be told apart from another: nothing is remembered for it.
    if (all.length > 0 && event.session !== "") recordSession(places, event.session, all);
    if (receipt) appendReceipt(places, receipt, injected);
    if (outcome.trouble !== undefined) logTrouble("guards", outcome.trouble, place.env);
    if (event.kind === "session-start" && event.source === "startup") {
      pruneSessions(places, place.now());
      pruneReceipts(places, place.now());
      pruneUse(places);
    }
  };
  afterwards.later(record, { isRequestNext: event.kind === "prompt" });
  return {
    context: context || undefined,
    notice: redactSecrets(outcome.notice ?? "") || undefined,
    decision,
    sendBack: sendBack || undefined,
    receipt: receipt?.id,
  };
}

/** Reads an event, taking what cannot be read as absent: guards and rules must not fall silent. Private text ends here. */
function normaliseEvent(given: SessionEvent): HeardEvent {
  const field = (key: string): unknown => (given as unknown as Record<string, unknown>)[key];
  const text = (key: string): string | undefined => {
    const value = field(key);
    return typeof value === "string" ? value : undefined;
  };
  const word = <Word>(key: string, ...words: readonly Word[]): Word | undefined =>
    words.find((one) => one === field(key));
  const cwd = text("cwd") ?? "";
  const { input, cut = word("cut", "entries", "text") } = boundInput(field("input"));
  return {
    kind: given.kind,
    session: text("session") ?? "",
    // No directory has a name with the null character: the session is where heed was opened, as without any.
    cwd: cwd.includes("\0") ? "" : cwd,
    client: text("client") ?? "",
    clientVersion: text("clientVersion"),
    agentId: text("agentId") ?? (given.kind === "subagent-start" ? "subagent" : undefined),
    transcriptPath: text("transcriptPath"),
    permissionMode: text("permissionMode"),
    toolUseId: text("toolUseId"),
    reach: word("reach", "late", "none") ?? "now",
    isTyped: field("isTyped") !== false,
    source: word("source", "resume", "clear", "compact", "fork") ?? "startup",
    agentType: text("agentType") ?? "",
    prompt: withoutPrivate(text("prompt") ?? ""),
    tool: text("tool") ?? "",
    input,
    cut,
    error: text("error") ?? "",
    tellsResult: field("tellsResult") === true,
    lastMessage: text("lastMessage"),
    canSendBack: field("canSendBack") === true,
    isContinued: field("isContinued") === true,
    reason: text("reason") ?? "other",
  };
}

const MAX_DEPTH = 5;
const MAX_ENTRIES = 100;
/** Guards look into commands and what edits bring in: whole source files, not data. */
const MAX_CHARS = 256 * 1024;
const MAX_ENTRIES_IN_ALL = 100_000;
/** A shorter text is kept whole: the name of a file is never cut, whatever stands before it. */
const SHORT_CHARS = 4096;

type BoundedInput = Pick<SessionEvent & { kind: "tool-use" }, "input" | "cut">;

/** Copies what JSON could hold of a tool's input, bounded in depth, entries and text; `cut` tells what is missing. */
export function boundInput(given: unknown): BoundedInput {
  let charsLeft = MAX_CHARS;
  let entriesLeft = MAX_ENTRIES_IN_ALL;
  let cut: BoundedInput["cut"];
  const bound = (part: unknown, depth: number): unknown => {
    if (typeof part === "string") {
      const text = part.length < SHORT_CHARS ? part : part.slice(0, charsLeft);
      charsLeft = Math.max(0, charsLeft - text.length);
      if (text.length < part.length) cut ??= "text";
      return text;
    }
    if (typeof part === "number" || typeof part === "boolean" || part === null) return part;
    if (typeof part !== "object") return undefined;
    const keys = Object.keys(part);
    const most = depth < MAX_DEPTH ? Math.min(MAX_ENTRIES, entriesLeft) : 0;
    if (depth >= MAX_DEPTH || keys.length > most) cut = "entries";
    if (depth >= MAX_DEPTH) return undefined;
    entriesLeft -= Math.min(keys.length, most);
    const entries = keys
      .slice(0, most)
      .map((key) => [key, bound((part as Record<string, unknown>)[key], depth + 1)] as const)
      .filter(([, item]) => item !== undefined);
    // Entries are defined, not assigned: a key named __proto__ stays an ordinary key.
    return Array.isArray(part) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
  };
  const isMap = typeof given === "object" && given !== null && !Array.isArray(given);
  return { input: isMap ? (bound(given, 0) as Record<string, unknown>) : {}, cut };
}
