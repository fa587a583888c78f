import { oneLine } from "../text/one-line.ts";
import { agentRemark } from "./agent-remark.ts";
import type { Attempt, OpenStruggle, PendingCall, Struggle } from "./struggle.ts";
import { attemptOf, isFileTool, MAX_OPEN } from "./track-struggles.ts";

/** A call that ended well by its status, whatever the agent says of it then. */
export interface DoneCall {
  call: PendingCall;
  time: string;
}

/** So many done calls are remembered: tries at one thing follow one another. */
const MAX_DONE = 6;
/** From the third try on at the same thing, in other words each time, it was a struggle. */
const MIN_TRIES = 3;
/** Two command lines are tries at the same thing when they share so many of their words. */
const MIN_SHARED = 0.5;

/** Notes a call that ended well. Looks and edits are no tries. */
export function noteDone(done: DoneCall[], { call, time }: DoneCall): void {
  if (call.isLook || call.programs.length === 0 || isFileTool(call.tool)) return;
  done.push({ call, time });
  if (done.length > MAX_DONE) done.shift();
}

/**
 * Struggles that no status tells: the agent says that a step did not do what it should have, or tries the same thing a
 * third time in other words; and then says that it worked. Without that last word nothing is won.
 */
export function trackRemark(open: OpenStruggle[], done: DoneCall[], text: string): Struggle | undefined {
  const last = done.at(-1);
  const remark = last && agentRemark(text);
  if (!last || !remark) return undefined;
  const sentence = oneLine(remark.sentence.replace(/\*\*|`/g, ""), 240);
  if (remark.says === "failed") {
    noteSaid(open, last, sentence);
    return undefined;
  }
  const at = open.findLastIndex(({ candidate }) => candidate !== undefined);
  const said = open[at];
  if (said?.candidate) {
    open.splice(at, 1);
    done.splice(0);
    return { ...withoutCandidate(said), solution: said.candidate };
  }
  return wonByTries(done);
}

function noteSaid(open: OpenStruggle[], { call, time }: DoneCall, sentence: string): void {
  const attempt = attemptOf(call, sentence);
  const known = open.findLast(
    ({ isSaid, attempts }) =>
      isSaid === true && attempts.some(({ programs }) => programs.some((one) => call.programs.includes(one))),
  );
  if (known) {
    delete known.candidate;
    if (!known.attempts.some(({ what }) => what === attempt.what)) known.attempts.push(attempt);
    known.attempts.splice(4);
    known.age = 0;
    return;
  }
  open.push({ attempts: [attempt], age: 0, hasEdits: false, time, isSaid: true });
  if (open.length > MAX_OPEN) open.shift();
}

function withoutCandidate({ attempts, hasEdits, time }: OpenStruggle): Omit<Struggle, "solution"> {
  return { failed: attempts, hasEdits, time, isSaid: true };
}

function wonByTries(done: DoneCall[]): Struggle | undefined {
  const last = done.at(-1);
  if (!last) return undefined;
  const tries: Attempt[] = [];
  for (const { call } of done)
    if (isOtherTry(call, last.call) && !tries.some(({ what }) => what === call.what))
      tries.push(attemptOf(call, "it did not give what was wanted"));
  if (tries.length < MIN_TRIES - 1) return undefined;
  const time = done[0]?.time ?? last.time;
  done.splice(0);
  return {
    failed: tries,
    solution: attemptOf(last.call, ""),
    hasEdits: false,
    time,
    isSaid: true,
  };
}

function isOtherTry(one: PendingCall, last: PendingCall): boolean {
  if (one.what === last.what || one.programs.at(-1) !== last.programs.at(-1)) return false;
  const [a, b] = [one, last].map(({ what }) => new Set(what.split(/\s+/)));
  if (!a || !b) return false;
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared / Math.max(a.size, b.size) >= MIN_SHARED;
}
