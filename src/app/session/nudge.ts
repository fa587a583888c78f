import { holdsCue } from "../../capture/cues.ts";
import type { TrailEntry } from "../records/session-state.ts";

/** At most one prompt in this many carries the line. */
const SPACING = 20;
/** After so many lines on which nothing was written the session hears no more of them. */
const MAX_VAIN = 2;

/** The line: the model decides what comes of it. */
export const NUDGE: string =
  "heed: the user's message before this one may hold something that later sessions need (a rule, a correction, a decision, " +
  "an address), and nothing was written. If it does, write it first with memory_write and the user's words as quote; if " +
  "not, go on without a word about it.";

/**
 * Whether a prompt that was just typed is to carry the line: the turn before ended without a write, and something speaks
 * for one. That is that the user had interrupted the agent before it (a denied tool ends the agent's turn in the same way),
 * or that a cue stands in it.
 *
 * @param trail - what happened in the session before this prompt, in order.
 */
export function isNudgeDue(trail: readonly TrailEntry[]): boolean {
  const at = trail.findLastIndex(({ kind }) => kind === "turn");
  const turn = trail[at];
  if (!turn || turn.text === "" || trail.slice(at).some(({ kind }) => kind === "wrote")) return false;
  if (!holdsCue(turn.text) && !followsInterruption(trail, at)) return false;
  const last = trail.findLastIndex(({ kind }) => kind === "nudged");
  const turnsSince = trail.slice(last + 1).filter(({ kind }) => kind === "turn").length;
  return last < 0 || (turnsSince >= SPACING - 1 && countVain(trail) < MAX_VAIN);
}

/** Whether the agent's turn before the user's turn at `at` did not end by itself; only where clients say so at all. */
function followsInterruption(trail: readonly TrailEntry[], at: number): boolean {
  const before = trail.slice(0, at).findLastIndex(({ kind }) => kind === "turn");
  const isStop = ({ kind }: TrailEntry): boolean => kind === "stopped";
  return before >= 0 && trail.some(isStop) && !trail.slice(before, at).some(isStop);
}

/** How many lines had no effect: nothing was written in the turn that carried them. */
function countVain(trail: readonly TrailEntry[]): number {
  return trail.filter(({ kind }, at) => {
    if (kind !== "nudged") return false;
    const next = trail.slice(at + 1).find((entry) => entry.kind === "turn" || entry.kind === "wrote");
    return next?.kind !== "wrote";
  }).length;
}
