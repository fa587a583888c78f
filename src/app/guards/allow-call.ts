import type { Door } from "../../memory/door.ts";
import type { Place } from "../place/place.ts";

/** A call that a guard stopped in a session, and that may still be allowed. */
export interface StoppedCall {
  code: string;
  rule: string;
  text: string;
}

/** What guards stopped in a session and was not allowed yet, the newest last. */
export function stoppedCalls(_place: Place, _session: string): StoppedCall[] {
  return [];
}

/** Lets a stopped call pass once; what to tell the user, or undefined for a code of none. */
export function allowCall(
  _place: Place,
  _about: { session: string; code: string; door: Door },
): string | undefined {
  return undefined;
}
