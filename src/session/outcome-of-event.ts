import { noteCall } from "../here/records/heed-in-calls.ts";
import type { SessionEvent } from "../here/api/session-events.ts";
import { type Place, tellsOfDamage } from "../here/place.ts";
import { logTrouble } from "../here/trouble-log.ts";
import { whoMayWrite } from "../here/user-config.ts";
import { type SessionRecord, readSession, trailOf, turnRecord } from "../here/records/session-state.ts";
import type { EventOutcome, Situation } from "./situation.ts";
import { NOTHING, afterInjection, lookAround, lookForFacts, modeOf, reviewed } from "./situation.ts";
import { isOwnTool } from "../past/capture/transcript/tool-names.ts";
import { isUserPrompt } from "../memory/typed-text.ts";
import type { ToolUse } from "../guard/guard-call.ts";
import { readOrEmpty } from "../machine/regular-file.ts";

/** Opening the collection may take this share of the deadline; the rest is for choosing and rendering. */
const OPENING_SHARE = 0.7;

/**
 * What an event leads to, without leaving a trace: reading, choosing, rendering. Rejects when a store or state cannot
 * be dealt with at all. A dry run is of a prompt in mode typed, as the first of a session that was opened here.
 */
export async function outcomeOf(
  place: Place,
  event: SessionEvent,
  deadlineMs: number,
  purpose: "answer" | "dry-run" = "answer",
): Promise<EventOutcome> {
  const deadlineAtMs = performance.now() + deadlineMs;
  const agent = event.kind === "subagent-start" ? (event.agentId ?? "subagent") : event.agentId;
  const session = readSession(place.places, event.session, agent);
  const mode = purpose === "dry-run" ? "typed" : modeOf(session, place);
  if (mode === "off") return NOTHING;
  const time = place.now().toISOString();
  const look = () => lookAround(place, session, mode, deadlineMs * OPENING_SHARE);
  const lookAtFacts = () => lookForFacts(place, session, mode, deadlineMs * OPENING_SHARE);
  const isSeen = event.reach !== "none";
  const isClosed = agent === undefined && !session.context.hasBlock;
  const opensLate = event.reach === "late" && isClosed;
  // A start could have opened it, and none did.
  const isMissed = event.reach === undefined && isClosed && event.session !== "";
  const open = async (subagent: string | undefined): Promise<EventOutcome> => {
    const { openContext } = await import("./open-context.ts");
    return openContext(await look(), { agent: subagent, client: event.client, session: event.session });
  };
  /** Adds the block that no start gave, or what did not fit into the answer that gave it. */
  const withBlock = async (outcome: EventOutcome): Promise<EventOutcome> => {
    if (!isMissed && !session.context.hasMore) return outcome;
    const { openContext, openLate } = await import("./open-context.ts");
    const about = { agent, client: event.client, session: event.session };
    const usedChars = (outcome.answer.context?.length ?? 0) + 2;
    const block = isMissed
      ? await openLate(look, { place, ...about }, { usedChars, deadlineAtMs })
      : await openContext(await look(), about, { isRest: true, usedChars });
    // A body that this prompt brought stays one, whatever line the map has of it.
    const records = [...block.records, ...outcome.records];
    return { ...(isMissed ? together(block, outcome) : together(outcome, block)), records };
  };
  switch (event.kind) {
    case "session-start": {
      const { beginOpening, learnPlace, startSession } = await import("./open-context.ts");
      const isFirst = !isSeen || event.session === "" || beginOpening(place, event.session, false);
      if (!isFirst && event.source === "startup") return NOTHING;
      await learnPlace(place);
      const { keepGoodState } = await import("../here/trust/deciding-state.ts");
      keepGoodState(place);
      const { lookOverClaims } = await import("./prompt-verdicts.ts");
      const here = await look();
      await lookOverClaims(here);
      await quietly(place, async () => (await import("./program-starts.ts")).beginStarts(here, event));
      if (!isSeen) return NOTHING;
      const isLost = !session.context.isBlockFollowed && forgetsLastHooks(event.transcriptPath);
      const isResumed = event.source === "resume" && session.context.hasBlock && !isLost;
      const isFresh = event.source !== "resume" || (session.context.hasBlock && isLost);
      const records: SessionRecord[] =
        session.isKnown && isFresh ? [{ kind: "epoch", time, why: event.source }] : [];
      const outcome = await startSession(await look(), event, isResumed);
      return { ...outcome, records: [...records, ...outcome.records] };
    }
    case "subagent-start":
      return isSeen ? open(agent) : NOTHING;
    case "prompt": {
      if (!isUserPrompt(event.prompt)) return NOTHING;
      // What is said to a subagent is its caller's word, not the user's.
      const whose = { session: event.session, client: event.client, root: place.workRoot };
      const turn = turnRecord(event.isTyped === false ? "" : event.prompt, time);
      const records = agent === undefined ? [{ ...turn, ...whose }] : [];
      if (opensLate) {
        const outcome = await open(undefined);
        return { ...outcome, records: [...records, ...outcome.records] };
      }
      if (!isSeen) return { ...NOTHING, records };
      try {
        const { answerPrompt } = await import("./answer-prompt.ts");
        const situation = purpose === "answer" ? await lookAtFacts() : await opened(await look());
        const asked = purpose === "answer" ? event : { ...event, session: "dry run" };
        const outcome = await answerPrompt(situation, asked, agent, deadlineAtMs);
        const nudge = agent === undefined && mode !== "rules" ? await nudged(place, event, time) : NOTHING;
        const answered = { ...outcome, records: [...records, ...outcome.records] };
        return await withBlock(together(await changedFiles(situation, event), together(answered, nudge)));
      } catch (error) {
        if (tellsOfDamage(error)) throw error;
        logTrouble("event prompt", error, place.env);
        return { ...NOTHING, records };
      }
    }
    case "tool-use": {
      // A subagent has no user, and nobody reminds its model of anything.
      if (isOwnTool(event.tool))
        return { ...NOTHING, records: agent === undefined ? [{ kind: "called", time }] : [] };
      const { answerToolUse } = await import("./answer-tool.ts");
      if (purpose === "answer") noteCall(place.places, event.session, event, time);
      const situation = await look();
      const asked = together(await changedFiles(situation, event), await askGuards(situation, event));
      if (asked.answer.decision === undefined) {
        const use: ToolUse = { tool: event.tool, input: event.input, cut: event.cut };
        await ofGuards(situation, ANY, async () =>
          (await import("./program-starts.ts")).beginCall(situation, { ...event, use }, asked),
        );
        await ofGuards(situation, FILES, async () =>
          (await import("./guarded-files.ts")).lookBeforeCall(situation, event),
        );
      }
      // Where nobody tells how a call ends, it counts as it begins.
      const isDone = event.tellsResult !== true && asked.answer.decision === undefined;
      const guarded = isDone ? await withDuties(situation, event, undefined, asked) : asked;
      if (!isSeen) return guarded;
      if (opensLate) return together(guarded, await open(undefined));
      return withBlock(together(guarded, await answerToolUse(situation, { input: event.input, agent })));
    }
    case "tool-result": {
      const situation = await look();
      return withDuties(situation, event, true, await changedFiles(situation, event));
    }
    case "tool-failure": {
      const situation = await lookAtFacts();
      const changed = await changedFiles(situation, event);
      const kept = await withDuties(await reviewed(situation), event, false, changed);
      if (!isSeen || mode !== "typed") return kept;
      const { answerWithFacts } = await import("./answer-prompt.ts");
      const types = situation.collection.types.all().filter((policy) => policy.injection === "symptom");
      const answered = await answerWithFacts(
        situation,
        {
          text: event.error,
          types: types.map((policy) => policy.name),
          ...(agent !== undefined && { agent }),
        },
        deadlineAtMs,
      );
      return together(kept, answered);
    }
    case "stop": {
      const { citationsIn } = await import("./citations.ts");
      const cited = await citationsIn(event, look);
      const here = await look();
      await changedFiles(here, event);
      if (agent !== undefined) return cited;
      const ended =
        (await ofGuards(here, DUTIES, async () =>
          (await import("./guard-duties.ts")).endOfTurn(here, event),
        )) ?? NOTHING;
      if (ended.answer.sendBack !== undefined) return together(ended, cited);
      return together({ ...ended, records: [...ended.records, { kind: "stopped", time }] }, cited);
    }
    case "compaction":
      return { ...NOTHING, records: [{ kind: "epoch", time, why: "compaction" }] };
    case "session-end":
      await quietly(place, async () => (await import("./program-starts.ts")).endStarts(place, event.session));
      return { ...NOTHING, records: [{ kind: "ended", time, why: event.reason.slice(0, 100) }] };
    default:
      return NOTHING;
  }
}

/** The situation in a context that was opened just now: it holds rules and map. */
async function opened(situation: Situation): Promise<Situation> {
  const { openContext } = await import("./open-context.ts");
  const about = { agent: undefined, client: "", session: "" };
  // However many answers that takes.
  const { records } = await openContext(situation, about, { usedChars: Number.NEGATIVE_INFINITY });
  return afterInjection(
    situation,
    records.flatMap((record) => (record.kind === "injected" ? record.memories : [])),
  );
}

async function nudged(
  place: Place,
  event: Extract<SessionEvent, { kind: "prompt" }>,
  time: string,
): Promise<EventOutcome> {
  if (event.isTyped === false) return NOTHING;
  const { nudgeFor } = await import("./nudge.ts");
  const nudge = nudgeFor(trailOf(place.places, event.session));
  // Where only the user may write, the model could do nothing about it.
  if (nudge === undefined || ["me", "nobody"].includes(whoMayWrite(place))) return NOTHING;
  return { ...NOTHING, answer: { context: nudge }, records: [{ kind: "nudged", time }] };
}

/** What heed's own protection and guards say. What fails stops nothing; code that no call needs is not loaded. */
async function askGuards(
  situation: Situation,
  event: SessionEvent & { kind: "tool-use" },
): Promise<EventOutcome> {
  try {
    const { tool, input, cut } = event;
    const use: ToolUse = { tool, input, cut };
    const call = { ...event, use };
    const kept = (await import("./protect-records.ts")).protectRecords(situation, use, call);
    if (kept.answer.decision || situation.collection.memoriesWith("guard").length === 0) return kept;
    const { guardToolUse } = await import("./guard-tool-use.ts");
    return together(await guardToolUse(situation, use, call), kept);
  } catch (error) {
    logTrouble("guards, the call is allowed", error, situation.place.env);
    return NOTHING;
  }
}

/** What a call did about duties, noted beside its outcome. */
async function withDuties(
  situation: Situation,
  event: SessionEvent & { kind: "tool-use" | "tool-result" | "tool-failure" },
  isOk: boolean | undefined,
  outcome: EventOutcome,
): Promise<EventOutcome> {
  const records = await ofGuards(situation, DUTIES, async () =>
    (await import("./guard-duties.ts")).dutyRecords(situation, event, isOk),
  );
  return { ...outcome, records: [...outcome.records, ...(records ?? [])] };
}

/** What became of guarded files since the call before, and of programs that started unchecked. */
async function changedFiles(situation: GuardsThere, event: SessionEvent): Promise<EventOutcome> {
  const reported = await ofGuards(situation, FILES, async () =>
    (await import("./guarded-files.ts")).reportChangedFiles(situation.place, event),
  );
  const notice = await ofGuards(situation, ANY, async () =>
    (await import("./program-starts.ts")).tellUnchecked(situation.place, event.session),
  );
  return notice === undefined
    ? (reported ?? NOTHING)
    : together({ ...NOTHING, answer: { notice } }, reported ?? NOTHING);
}

/** Keys of guards that need more than a decision on a call. */
const DUTIES = /"needs":/;
const ANY = /./;
const FILES = /"(?:paths?|writes|destroys)":/;
type GuardsThere = Pick<Situation, "place" | "collection">;

/** What guards with one of some keys say; what fails stops nothing. Where there are none, nothing is loaded. */
async function ofGuards<T>(
  { place, collection }: GuardsThere,
  keys: RegExp,
  ask: () => Promise<T>,
): Promise<T | undefined> {
  const isAsked = collection.memoriesWith("guard").some(({ guard }) => keys.test(JSON.stringify(guard)));
  return isAsked ? quietly(place, ask) : undefined;
}

async function quietly<T>(place: Place, ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    logTrouble("files, duties and starts of guards", error, place.env);
    return undefined;
  }
}

function together(guarded: EventOutcome, injected: EventOutcome): EventOutcome {
  const context = [guarded.answer.context, injected.answer.context].filter((text) => text !== undefined);
  const notice = [guarded.answer.notice, injected.answer.notice].filter((text) => text !== undefined);
  return {
    ...guarded,
    ...injected,
    answer: {
      ...guarded.answer,
      ...injected.answer,
      ...(context.length > 0 && { context: context.join("\n\n") }),
      ...(notice.length > 0 && { notice: notice.join("\n") }),
    },
    records: [...guarded.records, ...injected.records],
    decisions: [...guarded.decisions, ...injected.decisions],
    isCut: guarded.isCut || injected.isCut,
    afterwards: () => {
      guarded.afterwards?.();
      injected.afterwards?.();
    },
  };
}

/** The last records of a transcript lie in so many bytes; each carries the version of the client that wrote it. */
const TAIL_BYTES = 64 * 1024;
/** The first Claude Code that was seen to keep what hooks told at the very end of a conversation is of this line. */
const KEEPS_LAST_HOOKS: readonly number[] = [2, 1, 139];

/**
 * Whether the client that wrote a transcript resumes a session without what hooks told after the last message, as after
 * a compaction with which a process ended: Claude Code 2.1.112 goes on from the last message, 2.1.330 from the last
 * record. False for a transcript that cannot be read or names no version.
 */
function forgetsLastHooks(transcript = ""): boolean {
  const versions = [...readOrEmpty(transcript, { maxBytes: TAIL_BYTES, part: "end" }).matchAll(VERSION)];
  const last = versions.at(-1)?.slice(1).map(Number);
  if (!last) return false;
  const at = last.findIndex((part, i) => part !== KEEPS_LAST_HOOKS[i]);
  return at >= 0 && (last[at] ?? 0) < (KEEPS_LAST_HOOKS[at] ?? 0);
}

const VERSION = /"version":"(\d{1,4})\.(\d{1,4})\.(\d{1,6})"/g;
