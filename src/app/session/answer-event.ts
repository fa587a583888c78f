import { isUserPrompt } from "../../inject/is-user-prompt.ts";
import { defuseLine } from "../../inject/fence.ts";
import { redactSecrets } from "../../screening/redact-secrets.ts";
import { countPending } from "../records/count-pending.ts";
import type { DeferredWork } from "../place/deferred-work.ts";
import type { EventAnswer, SessionEvent } from "../api/session-events.ts";
import { appendGuardEvents } from "../records/guard-log.ts";
import { appendReceipt, pruneReceipts } from "../records/receipt-log.ts";
import type { SessionRecord } from "../records/session-state.ts";
import { pruneSessions, readSession, recordSession, turnRecord } from "../records/session-state.ts";
import { tellsOfDamage, withSoundIndex } from "../place/index-damage.ts";
import { logTrouble } from "../place/trouble-log.ts";
import type { Place } from "../place/place.ts";
import { forgetsLastHooks } from "./client-transcript.ts";
import type { EventOutcome } from "../records/event-outcome.ts";
import { NOTHING } from "../records/event-outcome.ts";
import { makeReceipt } from "./make-receipt.ts";
import { normaliseDeadline, normaliseEvent } from "./normalise-event.ts";
import type { Situation } from "./situation.ts";
import { afterTelling, lookAround, lookForFacts, modeOf } from "./situation.ts";
import type { HearTurn } from "./turn-end.ts";

/** The time an event may take when the caller names none, in milliseconds. */
export const DEFAULT_DEADLINE_MS: number = 1000;
/** Opening the collection may take this share of it; the rest is for choosing and rendering. */
const OPENING_SHARE = 0.7;

/**
 * Answers an event of a session. What it throws is for the log: the text for the model never speaks of trouble.
 *
 * @param given - With a kind, and the text or tool that the kind is about; whatever else it lacks is made good.
 * @param hear - Keeps what the user asked for in so many words; without it nothing is kept at the end of a turn.
 */
export async function answerEvent(
  place: Place,
  given: SessionEvent,
  afterwards: DeferredWork,
  options?: { deadlineMs?: number | undefined },
  hear?: HearTurn,
): Promise<EventAnswer> {
  const startedAt = performance.now();
  const event = normaliseEvent(given);
  const deadlineMs = normaliseDeadline(options) ?? DEFAULT_DEADLINE_MS;
  // A session may move to another directory.
  const there = event.cwd === "" ? place : place.at(event.cwd);
  const answering = withSoundIndex(there, (at) => outcomeOf(at, event, deadlineMs));
  const outcome = await within(deadlineMs, answering);
  const told = await withAnnouncements(there, event, outcome);
  if (event.kind === "stop" && hear) await hearStop(there, event, hear);
  await captureLater(there, event, afterwards);
  const elapsedMs = performance.now() - startedAt;
  const answer = conclude(there, event, told, afterwards, elapsedMs);
  // The mode is looked up anew, and for this alone.
  place.workspace.onAnswered?.({
    kind: event.kind,
    mode: modeOf(readSession(there.places, event.session, event.agentId), there),
    deadlineMs,
    elapsedMs,
    isCut: told.isCut,
    answer,
    decisions: told.decisions,
  });
  return answer;
}

/** What the user asked for in so many words is kept before their next prompt; trouble with it is for the log. */
async function hearStop(place: Place, event: SessionEvent, hear: HearTurn): Promise<void> {
  try {
    if (modeOf(readSession(place.places, event.session), place) === "off") return;
    const { endTurn } = await import("./turn-end.ts");
    await endTurn(place, event, hear);
  } catch (error) {
    logTrouble("explicit words", error, place.env);
  }
}

/** What was saved unasked is told to the user in a line, at the next word that heed has with the main context. */
async function withAnnouncements(
  place: Place,
  event: SessionEvent,
  outcome: EventOutcome,
): Promise<EventOutcome> {
  if (event.agentId !== undefined || (event.kind !== "prompt" && event.kind !== "session-start"))
    return outcome;
  const { takeAnnouncements } = await import("../records/announcements.ts");
  const { lines, forModel } = takeAnnouncements(place.places, place.workRoot);
  const notice = [outcome.answer.notice ?? "", ...lines].filter((line) => line !== "");
  if (notice.length === 0) return outcome;
  const context = [
    outcome.answer.context ?? "",
    ...forModel.map((line) => `heed: ${defuseLine(line)}`),
  ].filter((text) => text !== "");
  return {
    ...outcome,
    answer: {
      ...outcome.answer,
      notice: notice.join("\n"),
      ...(context.length > 0 && { context: context.join("\n\n") }),
    },
  };
}

/** The session is read by another process; where no program is known for that, here, when the answer is out. */
async function captureLater(place: Place, event: SessionEvent, afterwards: DeferredWork): Promise<void> {
  const { isCaptureEvent, requestCapture } = await import("./request-capture.ts");
  if (!isCaptureEvent(event)) return;
  // The mode too is looked up when the answer is out: each prompt comes by here.
  afterwards.later(
    () => {
      if (modeOf(readSession(place.places, event.session), place) !== "off") requestCapture(place, event);
    },
    { isRequestNext: event.kind === "prompt" },
  );
}

async function within(deadlineMs: number, work: Promise<EventOutcome>): Promise<EventOutcome> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<EventOutcome>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${deadlineMs} ms`)), deadlineMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * What an event leads to, without leaving a trace: reading, choosing, rendering. Rejects when a store or state cannot
 * be dealt with at all. A rehearsal is of a prompt in mode typed, as the first of a session that was opened here.
 */
export async function outcomeOf(
  place: Place,
  event: SessionEvent,
  deadlineMs: number,
  purpose: "answer" | "rehearsal" = "answer",
): Promise<EventOutcome> {
  const deadlineAtMs = performance.now() + deadlineMs;
  const agent = event.kind === "subagent-start" ? (event.agentId ?? "subagent") : event.agentId;
  const session = readSession(place.places, event.session, agent);
  const mode = purpose === "rehearsal" ? "typed" : modeOf(session, place);
  if (mode === "off") return NOTHING;
  const time = place.now().toISOString();
  const takesBaseline = event.kind === "session-start";
  const look = () => lookAround(place, session, mode, deadlineMs * OPENING_SHARE, { takesBaseline });
  const lookAtFacts = () => lookForFacts(place, session, mode, deadlineMs * OPENING_SHARE);
  const isHeard = event.reach !== "none";
  const opensLate = event.reach === "late" && agent === undefined && !session.context.hasBlock;
  const open = async (subagent: string | undefined): Promise<EventOutcome> => {
    const { openContext } = await import("./open-context.ts");
    const pendingCount = subagent === undefined ? countPending(place.places) : 0;
    return openContext(await look(), { agent: subagent, client: event.client, pendingCount });
  };
  switch (event.kind) {
    case "session-start": {
      place.workspace.optional.judge?.forget(event.session);
      const { learnPlace } = await import("./learn-place.ts");
      await learnPlace(place);
      const { lookOverClaims } = await import("./look-over-claims.ts");
      await lookOverClaims(await look());
      if (!isHeard) return NOTHING;
      const isLost = !session.context.isBlockFollowed && forgetsLastHooks(event.transcriptPath);
      if (event.source === "resume" && session.context.hasBlock && !isLost) {
        const { resumeContext } = await import("./resume-context.ts");
        return resumeContext(await look());
      }
      const isFresh = event.source !== "resume" || (session.context.hasBlock && isLost);
      const records: SessionRecord[] =
        session.isKnown && isFresh ? [{ kind: "epoch", time, why: event.source }] : [];
      const outcome = await open(undefined);
      return { ...outcome, records: [...records, ...outcome.records] };
    }
    case "subagent-start":
      return isHeard ? open(agent) : NOTHING;
    case "prompt": {
      if (!isUserPrompt(event.prompt)) return NOTHING;
      if (agent === undefined) place.workspace.optional.judge?.forget(event.session);
      // What is said to a subagent is its caller's word, not the user's.
      const records = agent === undefined ? [turnRecord(event.prompt, time)] : [];
      if (opensLate) {
        const outcome = await open(undefined);
        return { ...outcome, records: [...records, ...outcome.records] };
      }
      if (!isHeard) return { ...NOTHING, records };
      try {
        const { answerPrompt } = await import("./answer-prompt.ts");
        const situation = purpose === "answer" ? await lookAtFacts() : await opened(await look());
        const outcome = await answerPrompt(situation, event, agent, deadlineAtMs);
        return { ...outcome, records: [...records, ...outcome.records] };
      } catch (error) {
        if (tellsOfDamage(error)) throw error;
        logTrouble("event prompt", error, place.env);
        return { ...NOTHING, records };
      }
    }
    case "tool-use": {
      const { answerToolUse } = await import("./answer-tool.ts");
      const situation = await look();
      const guarded = await askGuards(situation, event, event.session);
      if (!isHeard) return guarded;
      if (opensLate) return together(guarded, await open(undefined));
      const told = together(guarded, await answerToolUse(situation, { input: event.input, agent }));
      const late = agent === undefined ? place.workspace.optional.judge?.takeLate(event.session) : undefined;
      return late ? together(told, late) : told;
    }
    case "tool-failure": {
      if (!isHeard || mode !== "typed") return NOTHING;
      const { answerWithFacts } = await import("./answer-prompt.ts");
      const situation = await lookAtFacts();
      const types = situation.collection.types.all().filter((policy) => policy.injection === "symptom");
      return answerWithFacts(
        situation,
        {
          text: event.error,
          types: types.map((policy) => policy.name),
          ...(agent !== undefined && { agent }),
        },
        deadlineAtMs,
      );
    }
    case "stop": {
      const { citationsIn } = await import("./citations.ts");
      const cited = await citationsIn(event, look);
      const message = event.lastMessage ?? "";
      if (agent !== undefined || session.guarded.length === 0 || !message.includes("?")) return cited;
      const { questionToPass } = await import("./user-allowance.ts");
      const asked = questionToPass(message, await look(), event.session);
      return { ...cited, records: [...cited.records, ...asked] };
    }
    case "compaction":
      place.workspace.optional.judge?.forget(event.session);
      return { ...NOTHING, records: [{ kind: "epoch", time, why: "compaction" }] };
    case "session-end":
      place.workspace.optional.judge?.forget(event.session);
      return { ...NOTHING, records: [{ kind: "ended", time, why: event.reason.slice(0, 100) }] };
    default:
      return NOTHING;
  }
}

/** The situation in a context that was opened just now: it holds rules and map. */
async function opened(situation: Situation): Promise<Situation> {
  const { openContext } = await import("./open-context.ts");
  const { records } = await openContext(situation, { agent: undefined, client: "", pendingCount: 0 });
  return afterTelling(
    situation,
    records.flatMap((record) => (record.kind === "told" ? record.memories : [])),
  );
}

/** What heed's own protection and guards say. What fails stops nothing; code that no call needs is not loaded. */
async function askGuards(
  situation: Situation,
  use: { tool: string; input: Readonly<Record<string, unknown>> },
  session: string,
): Promise<EventOutcome> {
  try {
    const { protectRecords } = await import("./protect-records.ts");
    const kept = await protectRecords(situation, use);
    if (kept.answer.decision) return kept;
    if (situation.collection.cardsWith("guard").length === 0) return NOTHING;
    const { guardToolUse } = await import("./guard-tool-use.ts");
    return await guardToolUse(situation, use, session);
  } catch (error) {
    logTrouble("guards, the call is allowed", error, situation.place.env);
    return NOTHING;
  }
}

/** What the guards say, the rules of the paths that a tool touches, and the facts that a judge chose late. */
function together(guarded: EventOutcome, told: EventOutcome): EventOutcome {
  const context = [guarded.answer.context, told.answer.context].filter((text) => text !== undefined);
  const afterwards = [guarded.afterwards, told.afterwards].filter((work) => work !== undefined);
  return {
    ...guarded,
    answer: {
      ...guarded.answer,
      ...told.answer,
      ...(context.length > 0 && { context: context.join("\n\n") }),
    },
    records: [...guarded.records, ...told.records],
    decisions: [...guarded.decisions, ...told.decisions],
    isCut: told.isCut,
    ...(afterwards.length > 0 && {
      afterwards: () => {
        for (const work of afterwards) work();
      },
    }),
  };
}

/** Makes the receipt and puts off what need not hold up the answer. */
function conclude(
  place: Place,
  event: SessionEvent,
  outcome: EventOutcome,
  afterwards: DeferredWork,
  elapsedMs: number,
): EventAnswer {
  const { places } = place;
  // A hand edit passes no gate: what it may hold is not told on.
  const context = redactSecrets(outcome.answer.context ?? "");
  const { decision: decided } = outcome.answer;
  const decision = decided && { ...decided, reason: redactSecrets(decided.reason) };
  const told = [decision?.reason ?? "", context].filter((text) => text !== "").join("\n\n");
  const isNoted = told !== "" || (outcome.guardEvents?.length ?? 0) > 0;
  const receipt = !isNoted ? undefined : makeReceipt(place, event, outcome, elapsedMs);
  const record = (): void => {
    outcome.afterwards?.();
    // A client that names no session cannot be told apart from another: nothing is remembered for it.
    if (outcome.records.length > 0 && event.session !== "")
      recordSession(places, event.session, outcome.records);
    if (receipt) appendReceipt(places, receipt, told);
    if (receipt && outcome.guardEvents) {
      const { time, session, id } = receipt;
      appendGuardEvents(
        places,
        outcome.guardEvents.map(({ action, ...guard }) =>
          action === "let-pass"
            ? { kind: "let-pass", time, session, receipt: id, ...guard }
            : { kind: "fired", time, session, receipt: id, action, ...guard },
        ),
      );
    }
    if (outcome.trouble !== undefined) logTrouble("guards", outcome.trouble, place.env);
    if (event.kind === "session-start" && event.source === "startup") {
      pruneSessions(places, place.now());
      pruneReceipts(places, place.now());
    }
  };
  afterwards.later(record, { isRequestNext: event.kind === "prompt" });
  return {
    ...outcome.answer,
    ...(context !== "" && { context }),
    ...(outcome.answer.notice !== undefined && { notice: redactSecrets(outcome.answer.notice) }),
    ...(decision && { decision }),
    ...(receipt && { receipt: receipt.id }),
  };
}
