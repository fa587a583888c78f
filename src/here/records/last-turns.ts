import { type InjectedMemory, type QuotedPassage, type UserTurn, sessionFile } from "./session-state.ts";
import type { Actor } from "../../memory/memory.ts";
import { followEvents } from "../../machine/event-log.ts";
import type { Places } from "../../machine/places.ts";
import { FORMATS } from "../../machine/versioned-file.ts";

/** A quote is looked for in this turn and the two before. */
const LAST_TURNS = 3;
/** A turn of longer ago is not what the model answers now, in milliseconds. */
const MAX_AGE_MS = 12 * 3_600_000;

/**
 * The user's own parts of the last turns of the session in which somebody acts, the newest first, as hooks recorded them.
 * None for a subagent, which has no user, for a session that hooks know nothing of, and for one that is over; an empty part
 * where nobody typed the turn, or where it is no ground for anything.
 */
export function lastTurns(places: Places, { kind, session, agent }: Actor, now: Date): UserTurn[] {
  if (kind !== "model" || session === undefined || session === "" || agent !== undefined) return [];
  let turns: UserTurn[] = [];
  for (const record of followEvents(sessionFile(places, session), FORMATS.sessions)) {
    if (record["kind"] === "ended") turns = [];
    if (record["kind"] !== "turn" || typeof record["text"] !== "string") continue;
    turns.push({ text: record["text"], time: String(record["time"]) });
  }
  const newest = Date.parse(turns.at(-1)?.time ?? "");
  return now.getTime() - newest <= MAX_AGE_MS ? turns.slice(-LAST_TURNS).toReversed() : [];
}

/** What quotes of a turn brought in a session so far: of each write the quoted passage, and the memory as it was then. */
export function broughtBy(
  places: Places,
  session: string,
  turn: string,
): { by: QuotedPassage; memory: InjectedMemory }[] {
  return followEvents(sessionFile(places, session), FORMATS.sessions).flatMap((record) => {
    const by = record["by"] as QuotedPassage | undefined;
    const [memory] =
      record["kind"] === "wrote" && by?.turn === turn ? (record["memories"] as InjectedMemory[]) : [];
    return by && memory ? [{ by, memory }] : [];
  });
}
