import type { TrailEntry } from "../here/records/session-state.ts";
import { defuseLine } from "../memory/shown-text.ts";

export const NUDGE: string =
  "heed: the user's message before this one may hold something that later sessions need (a rule, a correction, a decision, " +
  "an address), and nothing was written. If it does, write it first with memory_write and the user's words as quote; if " +
  "not, go on without a word about it.";

function nudgeOfStruggle(worked: string, failed: string): string {
  const tried = failed === worked ? "it had failed" : `"${defuseLine(failed)}" had failed`;
  return (
    `heed: "${defuseLine(worked)}" worked after ${failed === "" ? "several tries that failed" : tried}. If what made it work would ` +
    "save a later session the search, write it first with memory_write as a solution (symptom, cause, fix); if not, go on " +
    "without a word about it."
  );
}

/** The reminder that a prompt carries, once in a session whose model has called no tool of heed's, where something speaks for a write. */
export function nudgeFor(trail: readonly TrailEntry[]): string | undefined {
  const at = trail.findLastIndex(({ kind }) => kind === "turn");
  const turn = trail[at];
  if (!turn || trail.some(({ kind }) => ["called", "wrote", "nudged"].includes(kind))) return undefined;
  const struggle = trail.slice(at).find(({ kind }) => kind === "struggled");
  if (struggle) return nudgeOfStruggle(struggle.text, struggle.failed ?? "");
  return turn.text !== "" && (holdsCue(turn.text) || followsInterruption(trail, at)) ? NUDGE : undefined;
}

/** Whether the agent's turn before the user's turn at `at` did not end by itself; only where clients say so at all. */
function followsInterruption(trail: readonly TrailEntry[], at: number): boolean {
  const before = trail.slice(0, at).findLastIndex(({ kind }) => kind === "turn");
  const isStop = ({ kind }: TrailEntry): boolean => kind === "stopped";
  return before >= 0 && trail.some(isStop) && !trail.slice(before, at).some(isStop);
}

/**
 * Words that often stand in a turn worth keeping. They only remind the model to look again. Short and not
 * fitted: words alone do not tell such turns apart (docs/measurements.md).
 */
const CUES =
  "from now on|going forward|in the future|always|never|every time|whenever|remember|" +
  "keep in mind|we use|we don't|i prefer|i told you|why did you|you keep|stop|https://|" +
  "ab jetzt|immer|nie wieder|désormais|jamais|a partir de ahora|siempre|nunca";

let pattern: RegExp | undefined;

function holdsCue(text: string): boolean {
  pattern ??= new RegExp(`(?<![\\p{L}\\p{N}])(?:${CUES})(?<![\\p{L}\\p{N}](?=[\\p{L}\\p{N}]))`, "iu");
  return pattern.test(text.replaceAll("’", "'"));
}
