import type { Door } from "../../memory/door.ts";
import type { Place } from "../place/place.ts";
import { readSession, recordSession } from "../records/session-state.ts";
import { type StoppedCall, grantOf, stoppedIn } from "../session/rule-on-call.ts";

/** What guards stopped in a session within the last hour and may still be allowed, the newest last. */
export function stoppedCalls(place: Place, session: string): StoppedCall[] {
  return stoppedIn(readSession(place.places, session), place.now());
}

/**
 * Lets a stopped call pass once, within an hour, and that call alone. Whoever calls this has the user's word for it.
 * Returns what to tell the user; undefined where the session has no stopped call of that code.
 */
export function allowCall(
  place: Place,
  { session, code, door }: { session: string; code: string; door: Door },
): string | undefined {
  const wanted = code.trim().toLowerCase();
  const state = readSession(place.places, session);
  const call = stoppedIn(state, place.now()).find((one) => one.code === wanted);
  if (!call) return undefined;
  // Said twice before it is used is said once.
  if (grantOf(state, wanted, place.now()) === undefined)
    recordSession(place.places, session, [
      { kind: "allowed", time: place.now().toISOString(), code: wanted, door },
    ]);
  return `Allowed once, within an hour, although ${call.rule} forbids it: ${call.text}`;
}
