import type { ExplicitWords } from "../../capture/explicit/find-explicit.ts";
import { findExplicit } from "../../capture/explicit/find-explicit.ts";
import { holdsSubstance } from "../../curate/users-words.ts";
import { Inbox } from "../../curate/inbox.ts";
import { readLearnSetting } from "../place/learn-mode.ts";
import type { Place } from "../place/place.ts";
import { readSession, recentUserTurns, recordSession } from "../records/session-state.ts";
import { keepExplicit } from "./keep-explicit.ts";
import { announceKept } from "./announce-kept.ts";
import { writtenElsewhere } from "./written-in-turn.ts";

/** A turn that has ended, as the session's events tell it. */
export interface HeardTurn {
  session: string;
  client: string;
  turn: { time: string };
  explicit: readonly ExplicitWords[];
  /** The agent's closing message. */
  message: string;
  /** The client's transcript; empty where there is none. */
  transcript: string;
}

/** How much of a waiting statement the agent's question holds when it asks about it. */
const ASKED_SHARE = 0.5;

/** Keeps what a turn asked for in so many words, and notes what the agent's closing message asks the user about. */
export async function hearTurn(place: Place, heard: HeardTurn): Promise<void> {
  const { session, client, turn, message, transcript, explicit } = heard;
  const time = place.now().toISOString();
  const names = namesAskedAbout(place, message);
  if (names.length > 0) recordSession(place.places, session, [{ kind: "asked", time, names }]);
  if (explicit.length === 0) return;
  const written = writtenElsewhere(transcript);
  const options = { session, client, isHeard: true };
  const reports = await keepExplicit(place, { time: turn.time, explicit, written }, options);
  announceKept(place, session, reports);
  const quotes = explicit.map(({ quote }) => quote);
  recordSession(place.places, session, [{ kind: "heard", time: turn.time, quotes }]);
}

/**
 * Keeps what the recorded turns of a session asked for that nobody has dealt with. What heed heard needs no transcript:
 * some clients write none, or later, or where nobody finds it.
 *
 * @param untilMs - Turns that began later are still at work.
 */
export async function hearRecorded(
  place: Place,
  { session, client, transcript }: Pick<HeardTurn, "session" | "client" | "transcript">,
  untilMs: number = Infinity,
): Promise<void> {
  if (place.found.capture === "off" || readLearnSetting(place).mode === "off") return;
  const { heard } = readSession(place.places, session);
  const turns = recentUserTurns(place.places, session).filter(({ time }) => !(Date.parse(time) > untilMs));
  for (const turn of turns) {
    const explicit = heard.has(turn.time) ? [] : findExplicit(turn.text);
    // What the agent wrote elsewhere is known of the last turn alone.
    const last = turn === turns.at(-1) ? transcript : "";
    if (explicit.length > 0)
      await hearTurn(place, { session, client, turn, explicit, message: "", transcript: last });
  }
}

/** The waiting memories that a message asks about: by name, or by most of what they say. */
function namesAskedAbout(place: Place, message: string): string[] {
  if (!message.includes("?")) return [];
  return new Inbox(place.places, place.types)
    .list()
    .filter(
      ({ memory: { name, description } }) =>
        message.includes(name) || holdsSubstance(message, description, ASKED_SHARE),
    )
    .map(({ memory }) => memory.name);
}
