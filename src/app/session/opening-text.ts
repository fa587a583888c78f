import { redactSecrets } from "../../screening/redact-secrets.ts";
import type { Place } from "../place/place.ts";
import { readSession } from "../records/session-state.ts";
import { openContext } from "./open-context.ts";
import { lookAround, modeOf } from "./situation.ts";

/** Somebody waits for it, but no session does; in milliseconds. */
const DEADLINE_MS = 10_000;
/** A reader that has no session: it gets what a subagent gets, rules and map, and nothing of what waits or goes on. */
const READER = "document";

/**
 * What a fresh context here is told, rules and map, without leaving a trace; empty when there is nothing. For readers
 * that are told by no hook: a file that agents read, a server's instructions.
 *
 * @param options - `stores`: `project` leaves out what is the user's own, for a file that others read. Default `all`.
 */
export async function openingText(
  place: Place,
  { stores = "all" }: { stores?: "all" | "project" | undefined } = {},
): Promise<string> {
  const session = readSession(place.places, "", READER);
  const mode = modeOf(session, place);
  if (mode === "off") return "";
  const situation = await lookAround(
    place,
    session,
    mode,
    DEADLINE_MS,
    stores === "all" ? {} : { stores: place.stores.filter(({ kind }) => kind === "project") },
  );
  const { answer } = await openContext(situation, {
    agent: READER,
    client: "heed",
    session: "",
  });
  return redactSecrets(answer.context ?? "");
}
