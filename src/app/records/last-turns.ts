import { FORMATS } from "../../platform/file-formats.ts";
import { followEvents } from "../../platform/event-log.ts";
import type { Actor } from "../../memory/actor.ts";
import type { Places } from "../../platform/places.ts";
import { sessionFile } from "./session-state.ts";

/** A quote stands in this turn or one of the two before. */
const LAST_TURNS = 3;
/** A turn of longer ago is not what the model answers now, in milliseconds. */
const MAX_AGE_MS = 12 * 3_600_000;

/**
 * The user's own parts of the last turns of the session in which somebody acts, the newest first, as hooks recorded them.
 * None for a subagent, which has no user, for a session that hooks know nothing of, and for one that is over; an empty part
 * where nobody typed the turn, or where it is no ground for anything.
 */
export function lastTurns(places: Places, { kind, session, agent }: Actor, now: Date): string[] {
  if (kind !== "model" || session === undefined || session === "" || agent !== undefined) return [];
  let turns: string[] = [];
  let newest = "";
  for (const record of followEvents(sessionFile(places, session), FORMATS.sessions)) {
    if (record["kind"] === "ended") turns = [];
    if (record["kind"] !== "turn" || typeof record["text"] !== "string") continue;
    turns.push(record["text"]);
    newest = String(record["time"]);
  }
  return now.getTime() - Date.parse(newest) <= MAX_AGE_MS ? turns.slice(-LAST_TURNS).toReversed() : [];
}
