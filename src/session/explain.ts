import { redactSecrets } from "../memory/screening/find-secrets.ts";
import type { Mode } from "../store/config/store-config.ts";
import { outcomeOf } from "./outcome-of-event.ts";
import { type EventOutcome, NOTHING, joinOutcomes } from "./situation.ts";
import { modeHere } from "../here/user-config.ts";
import { normaliseEvent } from "./answer-event.ts";
import type { Decision } from "../here/records/session-events.ts";
import { type Explanation, findReceipt, makeReceipt } from "../here/records/receipt-log.ts";
import { readSession, listSessions } from "../here/records/session-state.ts";
import type { Place } from "../here/place.ts";
import { FORMATS, followEvents } from "../machine/state-file.ts";

/** What is to be explained: a prompt that could be sent, or a receipt by its id or the beginning of it. */
export type Explained = { prompt: string } | { receipt: string };

/** A dry run is asked for by a person or a tool and may take its time, in milliseconds. */
const DRY_RUN_DEADLINE_MS = 10_000;

/** Says what a prompt would be told in a fresh session, without a trace; or what a past receipt says. */
export async function explain(place: Place, about: Explained): Promise<Explanation> {
  if ("receipt" in about) return findReceipt(place.places, about.receipt);
  const startedAt = performance.now();
  await place.meetRepository();
  // A session that no log knows: nothing was shown to it before.
  const event = normaliseEvent({
    kind: "prompt",
    prompt: about.prompt,
    session: "",
    cwd: place.cwd,
    client: "heed",
  });
  const session = readSession(place.places, "");
  const mode = modeHere(place, session.mode);
  const asked = { session, mode: "typed", deadlineMs: DRY_RUN_DEADLINE_MS, isDryRun: true } as const;
  const typed = joinOutcomes(await outcomeOf(place, event, asked));
  const outcome = mode === "typed" ? typed : heldBack(typed, mode);
  return {
    receipt: makeReceipt(place, event, outcome, performance.now() - startedAt),
    context: redactSecrets(outcome.context ?? ""),
    isDryRun: true,
  };
}

function heldBack(outcome: EventOutcome, mode: Mode): EventOutcome {
  const decisions = outcome.decisions.map((decision): Decision => ({
    ...decision,
    form: "none",
    chars: 0,
    reason: `in mode ${mode} only when asked for; in mode typed: ${decision.reason}`,
  }));
  return { ...NOTHING, decisions, isCut: outcome.isCut };
}

/** A session in which the user has said nothing for so long is not the one that a call comes from. */
const MAX_AGE_MS = 12 * 3_600_000;
const MAX_LOOKED = 20;

/** The session of a client in which the user spoke last in this working tree, for calls that name none. */
export function newestSession(place: Place, client: string): string | undefined {
  const now = place.now().getTime();
  let newest: { session: string; time: number } | undefined;
  for (const { file } of listSessions(place.places).slice(0, MAX_LOOKED)) {
    for (const record of followEvents(file, FORMATS.sessions)) {
      if (record["kind"] !== "turn" || record["client"] !== client || record["root"] !== place.workRoot)
        continue;
      const time = Date.parse(String(record["time"]));
      const isRecent = now - time < MAX_AGE_MS && time > (newest?.time ?? 0);
      if (isRecent && typeof record["session"] === "string") newest = { session: record["session"], time };
    }
  }
  return newest?.session;
}
