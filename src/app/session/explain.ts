import { redactSecrets } from "../../screening/find-secrets.ts";
import type { Mode } from "../../store/config/store-config.ts";
import { outcomeOf } from "./outcome-of-event.ts";
import { type EventOutcome, modeOf } from "./situation.ts";
import { makeReceipt } from "./answer-event.ts";
import type { Decision, Explanation, SessionEvent } from "../api/session-events.ts";
import { findReceipt } from "../records/receipt-log.ts";
import { readSession } from "../records/session-state.ts";
import type { Place } from "../place/place.ts";

/** A dry run is asked for by a person or a tool and may take its time, in milliseconds. */
const DRY_RUN_DEADLINE_MS = 10_000;

/**
 * What would be injected for a prompt in a fresh session here, through the code that answers a real one, without
 * leaving a trace; or what a past receipt says. Throws `not-found` for an invalid receipt.
 */
export async function explain(
  place: Place,
  about: { prompt: string } | { receipt: string },
): Promise<Explanation> {
  if ("receipt" in about) return findReceipt(place.places, about.receipt);
  return dryRun(place, about.prompt, modeOf(readSession(place.places, ""), place));
}

/** What a fresh session would be told on a prompt in a mode, without leaving a trace. */
export async function dryRun(place: Place, prompt: string, mode: Mode = "typed"): Promise<Explanation> {
  const startedAt = performance.now();
  const event: SessionEvent = {
    kind: "prompt",
    prompt,
    // A session that no log knows: nothing was shown to it before.
    session: "",
    cwd: place.cwd,
    client: "heed",
  };
  const typed = await outcomeOf(place, event, DRY_RUN_DEADLINE_MS, "dry-run");
  const outcome = mode === "typed" ? typed : heldBack(typed, mode);
  return {
    receipt: makeReceipt(place, event, outcome, performance.now() - startedAt),
    context: redactSecrets(outcome.answer.context ?? ""),
    isDryRun: true,
  };
}

/** What would be told in mode typed, as the decisions of a mode that pushes no facts. */
function heldBack(outcome: EventOutcome, mode: Mode): EventOutcome {
  const decisions = outcome.decisions.map((decision): Decision => ({
    ...decision,
    form: "none",
    chars: 0,
    reason: `mode ${mode}: facts come when asked for; in mode typed: ${decision.reason}`,
  }));
  return { ...outcome, answer: {}, decisions };
}
