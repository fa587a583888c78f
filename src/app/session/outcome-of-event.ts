import type { ToolUse } from "../../guard/guard-call.ts";
import { isUserPrompt } from "../../inject/is-user-prompt.ts";
import type { SessionEvent } from "../api/session-events.ts";
import { tellsOfDamage } from "../place/index-damage.ts";
import type { Place } from "../place/place.ts";
import { logTrouble } from "../place/trouble-log.ts";
import { countPending } from "../records/count-pending.ts";
import type { EventOutcome } from "../records/event-outcome.ts";
import { NOTHING } from "../records/event-outcome.ts";
import type { SessionRecord } from "../records/session-state.ts";
import { readSession, turnRecord } from "../records/session-state.ts";
import { forgetsLastHooks } from "./client-transcript.ts";
import type { Situation } from "./situation.ts";
import { afterTelling, lookAround, lookForFacts, modeOf } from "./situation.ts";

/** Opening the collection may take this share of it; the rest is for choosing and rendering. */
const OPENING_SHARE = 0.7;

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
      const records =
        agent === undefined ? [turnRecord(event.isTyped === false ? "" : event.prompt, time)] : [];
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
      return agent === undefined
        ? { ...cited, records: [...cited.records, { kind: "stopped", time }] }
        : cited;
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
  asked: Omit<ToolUse, "untilMs">,
  session: string,
): Promise<EventOutcome> {
  try {
    const use: ToolUse = { ...asked };
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
