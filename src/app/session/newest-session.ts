import { FORMATS } from "../../platform/versioned-file.ts";
import { followEvents } from "../../platform/event-log.ts";
import type { Place } from "../place/place.ts";
import { listSessions } from "../records/session-state.ts";

/** A session in which the user has said nothing for so long is not the one that a call comes from. */
const MAX_AGE_MS = 12 * 3_600_000;
/** So many sessions that were active last are looked at. */
const MAX_LOOKED = 20;

/**
 * The session in which the user said something last to a client in this working tree, as its hooks recorded it. For
 * clients whose calls of tools name no session.
 */
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
