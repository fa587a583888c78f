import type { Actor } from "../../memory/actor.ts";
import type { Place } from "../place/place.ts";
import { logTrouble } from "../place/trouble-log.ts";
import { readSession, recordSession } from "../records/session-state.ts";

/** Notes in its session's log that a model wrote, changed or removed a memory: then nobody reminds it of the turn. */
export function noteWrite({ places, now, env }: Place, { kind, session, agent }: Actor): void {
  if (kind !== "model" || session === undefined || agent !== undefined) return;
  try {
    if (readSession(places, session).isKnown)
      recordSession(places, session, [{ kind: "wrote", time: now().toISOString() }]);
  } catch (error) {
    logTrouble("the session's log", error, env);
  }
}
