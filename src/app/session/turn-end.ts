import type { ExplicitWords } from "../../capture/explicit/find-explicit.ts";
import { findExplicit } from "../../capture/explicit/find-explicit.ts";
import type { SessionEvent } from "../api/session-events.ts";
import { readLearnSetting } from "../place/learn-mode.ts";
import type { Place } from "../place/place.ts";
import { countPending } from "../records/count-pending.ts";
import type { UserTurn } from "../records/session-state.ts";
import { readSession, recentUserTurns } from "../records/session-state.ts";
import { startCapture } from "./start-capture.ts";
import { enqueueJob } from "../records/capture-queue.ts";

/** A turn that has ended, and holds something that was said in so many words, or a question to the user. */
export interface EndedTurn {
  session: string;
  client: string;
  turn: UserTurn;
  explicit: readonly ExplicitWords[];
  /** The agent's closing message. */
  message: string;
  /** The client's transcript; empty where there is none. */
  transcript: string;
}

/** What keeps explicit words: a part of heed that not every process has. */
export type HearTurn = (place: Place, ended: EndedTurn) => Promise<void>;

/**
 * At the end of a turn the words by which the user asked for something to be kept or forgotten are kept by heed, where the
 * model has not, so that they are in force with the next request; mostly there are none, and that is all that is looked
 * at. A process without that part has the session captured at once, of a client without a transcript what was recorded of it.
 */
export async function endTurn(place: Place, event: SessionEvent, hear: HearTurn): Promise<void> {
  if (event.kind !== "stop" || event.agentId !== undefined || event.session === "") return;
  if (place.found.capture === "off") return;
  const { session, client, cwd, transcriptPath: transcript = "", lastMessage: message = "" } = event;
  const turn = recentUserTurns(place.places, session).at(-1);
  if (turn === undefined) return;
  const { heard } = readSession(place.places, session);
  const found = heard.has(turn.time) ? [] : findExplicit(turn.text);
  const explicit = found.length > 0 && readLearnSetting(place).mode === "off" ? [] : found;
  const asks = message.includes("?") && countPending(place.places) > 0;
  if (explicit.length === 0 && !asks) return;
  try {
    await hear(place, { session, client, turn, explicit, message, transcript });
  } catch (error) {
    if (!(error instanceof Error && error.message.includes("not in this bundle"))) throw error;
    if (explicit.length === 0) return;
    enqueueJob(place.places, { session, transcript, client, cwd, why: "stop" });
    startCapture(place);
    await untilHeard(place, session, turn.time);
  }
}

/** So long the end of such a turn waits, in milliseconds: what was said is to be in force with a prompt that comes at once. */
const MAX_WAIT_MS = 1200;
const LOOK_EVERY_MS = 25;

/** Waits until another process has kept the explicit words of a turn. */
async function untilHeard(place: Place, session: string, time: string): Promise<void> {
  if (place.workspace.program === undefined) return;
  const giveUpAt = performance.now() + MAX_WAIT_MS;
  while (performance.now() < giveUpAt && !readSession(place.places, session).heard.has(time))
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
}
