import { defuseLine } from "../../inject/fence.ts";
import { redactSecrets } from "../../screening/redact-secrets.ts";
import type { DeferredWork } from "../place/deferred-work.ts";
import type { EventAnswer, SessionEvent } from "../api/session-events.ts";
import { appendGuardEvents } from "../records/guard-log.ts";
import { appendReceipt, pruneReceipts } from "../records/receipt-log.ts";
import { pruneSessions, readSession, recordSession } from "../records/session-state.ts";
import { withSoundIndex } from "../place/index-damage.ts";
import { logTrouble } from "../place/trouble-log.ts";
import type { Place } from "../place/place.ts";
import type { EventOutcome } from "../records/event-outcome.ts";
import { makeReceipt } from "./make-receipt.ts";
import { normaliseDeadline, normaliseEvent } from "./normalise-event.ts";
import { outcomeOf } from "./outcome-of-event.ts";
import { modeOf } from "./situation.ts";

/** The time an event may take when the caller names none, in milliseconds. */
export const DEFAULT_DEADLINE_MS: number = 1000;
/**
 * Answers an event of a session. What it throws is for the log: the text for the model never speaks of trouble.
 *
 * @param given - With a kind, and the text or tool that the kind is about; whatever else it lacks is made good.
 */
export async function answerEvent(
  place: Place,
  given: SessionEvent,
  afterwards: DeferredWork,
  options?: { deadlineMs?: number | undefined },
): Promise<EventAnswer> {
  const startedAt = performance.now();
  const event = normaliseEvent(given);
  const deadlineMs = normaliseDeadline(options) ?? DEFAULT_DEADLINE_MS;
  // A session may move to another directory.
  const there = event.cwd === "" ? place : place.at(event.cwd);
  const answering = withSoundIndex(there, (at) => outcomeOf(at, event, deadlineMs));
  const outcome = await within(deadlineMs, answering);
  const told = await withAnnouncements(there, event, outcome);
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
