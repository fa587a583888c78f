import type { Actor } from "../../memory/actor.ts";
import type { Places } from "../../platform/places.ts";
import type { UserTurn } from "./session-state.ts";
import { readSession, recentUserTurns } from "./session-state.ts";

/** What heed heard the user say to whoever acts. */
export interface HeardTurns {
  /** Hooks tell heed what is said there: then silence is known too. */
  isHeard: boolean;
  /** The oldest first. */
  turns: UserTurn[];
}

/** Whoever calls from a shell of which it is not known who runs it, or of the client whose hooks heed has. */
const MAY_LEAVE_OUT: ReadonlySet<string | undefined> = new Set(["claude-code", "script", undefined]);

/**
 * The user's turns by which an actor's word is measured: those of its session. A command that names no session, or one
 * that nobody knows, is measured by those that were active last: leaving a variable out makes nothing the user's word.
 */
export function heardTurns(places: Places, { session, client }: Actor): HeardTurns {
  if (session !== undefined && readSession(places, session).isKnown)
    return { isHeard: true, turns: recentUserTurns(places, session) };
  const turns = MAY_LEAVE_OUT.has(client) ? recentUserTurns(places) : [];
  return { isHeard: turns.length > 0, turns };
}
