import type { Situation } from "../session/situation.ts";
import { lookAround } from "../session/situation.ts";
import { readSession } from "../records/session-state.ts";
import type { Place } from "../place/place.ts";

/** A person asks, who can wait, in milliseconds. */
const DEADLINE_MS = 10_000;

/** Where the guards stand that a person asks about. */
export function situationOf(place: Place): Promise<Situation> {
  return lookAround(place, readSession(place.places, ""), "typed", DEADLINE_MS);
}
