import { redactSecrets } from "../../screening/find-secrets.ts";
import type { Receipt, SessionEvent } from "../api/session-events.ts";
import { MAX_DECISIONS, newReceiptId } from "../records/receipt-log.ts";
import type { Place } from "../place/place.ts";
import type { EventOutcome } from "../records/event-outcome.ts";

/** A receipt shows so much of what it is about, in characters. */
const MAX_ABOUT_CHARS = 200;

/** So much is looked at for secrets: one that the cut would tear is still whole here. */
const MAX_SCANNED_CHARS = 1000;

/** The record of an event: what was injected first, then what was not. */
export function makeReceipt(
  place: Place,
  event: SessionEvent,
  outcome: EventOutcome,
  elapsedMs: number,
): Receipt {
  const now = place.now();
  const isTold = (form: string): number => (form === "none" ? 1 : 0);
  return {
    id: newReceiptId(now),
    time: now.toISOString(),
    session: event.session,
    kind: event.kind,
    cwd: place.cwd,
    about: redactSecrets(aboutOf(event).slice(0, MAX_SCANNED_CHARS)).slice(0, MAX_ABOUT_CHARS),
    chars: outcome.answer.context?.length ?? 0,
    decisions: outcome.decisions.toSorted((a, b) => isTold(a.form) - isTold(b.form)).slice(0, MAX_DECISIONS),
    isCut: outcome.isCut,
    elapsedMs: Math.round(elapsedMs * 10) / 10,
  };
}

function aboutOf(event: SessionEvent): string {
  switch (event.kind) {
    case "prompt":
      return event.prompt;
    case "tool-use":
      return `${event.tool} ${JSON.stringify(event.input)}`;
    case "tool-failure":
      return `${event.tool}: ${event.error}`;
    case "session-start":
      return event.source;
    case "subagent-start":
      return event.agentType;
    default:
      return "";
  }
}
