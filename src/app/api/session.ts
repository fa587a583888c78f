import type { Mode } from "../../store/config/store-config.ts";
import type { Episode } from "./capture-api.ts";
import type { EventAnswer, Explanation, Receipt, SessionEvent } from "./hook-api.ts";

/** What a session is told, and what it was told. */
export interface SessionApi {
  /** Answers an event of an agent's session; never rejects, and ends within `deadlineMs` (default 1,000). */
  answer(event: SessionEvent, deadlineMs?: number): Promise<EventAnswer>;
  /** What would be injected for a prompt here and why, without leaving a trace; or what a past receipt says. */
  why(about: { prompt: string } | { receipt: string }): Promise<Explanation>;
  receipts(limit?: number): Promise<Receipt[]>;
  /** The last session of this repository and branch; undefined when none was recorded. */
  resume(): Promise<Episode | undefined>;
  /**
   * Says how much is pushed: for the user, for the project at hand, or for one session. The session's own mode goes
   * before `HEED_MODE`, that before the project's, that before the user's.
   */
  setMode(mode: Mode, where: "user" | "project" | { session: string }): Promise<void>;
}
