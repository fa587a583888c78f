import type { TrailEntry } from "../records/session-state.ts";
import { holdsCue } from "../../capture/cues.ts";
import { defuseLine } from "../../inject/delimit.ts";

/** At most one prompt in this many carries the line. */
const SPACING = 20;
/** After this many lines without a write, the session gets no more of them. */
const MAX_VAIN = 2;

/** The line: the model decides what comes of it. */
export const NUDGE: string =
  "heed: the user's message before this one may hold something that later sessions need (a rule, a correction, a decision, " +
  "an address), and nothing was written. If it does, write it first with memory_write and the user's words as quote; if " +
  "not, go on without a word about it.";

/** The line about a struggle that was won. */
function nudgeOfStruggle(command: string): string {
  return (
    `heed: this failed several times before it worked: "${defuseLine(command)}". If what made it work would ` +
    "save a later session the search, write it first with memory_write as a solution (symptom, cause, fix); if not, go on " +
    "without a word about it."
  );
}

/**
 * The line that a prompt carries which was just typed, if any: the turn before ended without a write, and something speaks
 * for one. That is that a command worked at last in it; that the user had interrupted the agent before it (a denied tool
 * ends the agent's turn in the same way); or that a cue stands in it.
 *
 * @param trail - what happened in the session before this prompt, in order.
 */
export function nudgeFor(trail: readonly TrailEntry[]): string | undefined {
  const at = trail.findLastIndex(({ kind }) => kind === "turn");
  const turn = trail[at];
  if (!turn || trail.slice(at).some(({ kind }) => kind === "wrote")) return undefined;
  const struggle = trail.slice(at).find(({ kind }) => kind === "struggled");
  const isWritten = trail.some(({ kind, time }) => kind === "wrote" && time >= (struggle?.time ?? "~"));
  const isCued = turn.text !== "" && (holdsCue(turn.text) || followsInterruption(trail, at));
  const nudge = struggle && !isWritten ? nudgeOfStruggle(struggle.text) : isCued ? NUDGE : undefined;
  const last = trail.findLastIndex(({ kind }) => kind === "nudged");
  const turnsSince = trail.slice(last + 1).filter(({ kind }) => kind === "turn").length;
  return last < 0 || (turnsSince >= SPACING - 1 && countVain(trail) < MAX_VAIN) ? nudge : undefined;
}

/** Whether the agent's turn before the user's turn at `at` did not end by itself; only where clients say so at all. */
function followsInterruption(trail: readonly TrailEntry[], at: number): boolean {
  const before = trail.slice(0, at).findLastIndex(({ kind }) => kind === "turn");
  const isStop = ({ kind }: TrailEntry): boolean => kind === "stopped";
  return before >= 0 && trail.some(isStop) && !trail.slice(before, at).some(isStop);
}

/** A line had no effect when nothing was written in the turn that carried it. */
function countVain(trail: readonly TrailEntry[]): number {
  return trail.filter(({ kind }, at) => {
    if (kind !== "nudged") return false;
    const next = trail.slice(at + 1).find((entry) => entry.kind === "turn" || entry.kind === "wrote");
    return next?.kind !== "wrote";
  }).length;
}
