import { errorLine } from "../text/error-line.ts";
import { oneLine } from "../text/one-line.ts";
import type { Attempt, OpenStruggle, PendingCall, Struggle } from "./struggle.ts";

/** So many calls later a failure is given up on. */
const MAX_AGE = 25;
/** So many struggles are open at once. */
export const MAX_OPEN: number = 8;
const MAX_ATTEMPTS = 5;
const MAX_WHAT_CHARS = 500;

/** A call that has ended, as far as struggles are concerned. */
export interface EndedCall {
  call: PendingCall;
  outcome: "ok" | "failed" | "refused";
  output: string;
  time: string;
}

/** Failures of the client's own file tools: an edit that did not match is mended by the next one and teaches nothing. */
const FILE_TOOLS =
  /^(?:read|edit|write|multiedit|notebookedit|glob|grep|ls|todowrite|apply_patch|write_file|read_file|replace|view|str_replace)/i;

/** Whether a tool is one of the client's own for files. */
export function isFileTool(tool: string): boolean {
  return FILE_TOOLS.test(tool);
}

/** Takes one ended call into the open struggles; returns the struggle that it won. */
export function trackStruggle(open: OpenStruggle[], ended: EndedCall): Struggle | undefined {
  for (const struggle of open) struggle.age += 1;
  for (let i = open.length - 1; i >= 0; i--) if ((open[i]?.age ?? 0) > MAX_AGE) open.splice(i, 1);
  const { call } = ended;
  if (isFileTool(call.tool) || ended.outcome === "refused") return undefined;
  if (ended.outcome === "failed") {
    addFailure(open, ended);
    return undefined;
  }
  for (const said of open)
    if (said.isSaid === true && !call.isLook && isOvercomeBy(said, call))
      said.candidate = attemptOf(call, "");
  const at = open.findLastIndex((struggle) => struggle.isSaid !== true && isOvercomeBy(struggle, call));
  const won = open[at];
  if (!won) return undefined;
  open.splice(at, 1);
  return {
    failed: won.attempts,
    solution: attemptOf(call, ""),
    hasEdits: won.hasEdits,
    time: won.time,
  };
}

function addFailure(open: OpenStruggle[], { call, output, time }: EndedCall): void {
  const error = errorLine(output);
  if (error === "") return;
  const attempt = attemptOf(call, error);
  const same = open.findLast((struggle) =>
    struggle.attempts.some((earlier) => isSameTopic(earlier, attempt)),
  );
  if (same) {
    same.attempts.push(attempt);
    // The first and the last tries tell most.
    if (same.attempts.length > MAX_ATTEMPTS) same.attempts.splice(1, 1);
    same.age = 0;
    return;
  }
  open.push({ attempts: [attempt], age: 0, hasEdits: false, time });
  if (open.length > MAX_OPEN) open.shift();
}

/** A call as one try. */
export function attemptOf(call: PendingCall, error: string): Attempt {
  return { tool: call.tool, what: oneLine(call.what, MAX_WHAT_CHARS), programs: call.programs, error };
}

function isSameTopic(a: Attempt, b: Attempt): boolean {
  if (a.programs.length === 0 || b.programs.length === 0)
    return familyOf(a.tool) === familyOf(b.tool) && a.programs.length === b.programs.length;
  return culprits(a).some((program) => b.programs.includes(program));
}

/** Whether a call that worked is another way to do what failed: same program or tool, other words. */
function isOvercomeBy(struggle: OpenStruggle, call: PendingCall): boolean {
  if (struggle.attempts.some(({ what }) => what === oneLine(call.what, MAX_WHAT_CHARS))) {
    // The very same call worked now: what was in its way is gone, which only a change or time can have done.
    return struggle.attempts.length > 1 || struggle.hasEdits;
  }
  return struggle.attempts.some((attempt) => {
    if (attempt.programs.length === 0) {
      const isOneFamily = call.programs.length === 0 && familyOf(attempt.tool) === familyOf(call.tool);
      // Another page of the same site answers nothing about the one that failed.
      return isOneFamily && (familyOf(call.tool) !== "web" || hostOf(call.what) !== hostOf(attempt.what));
    }
    return culprits(attempt).some((program) => doesProgram(call, program, attempt));
  });
}

function doesProgram(call: PendingCall, program: string, attempt: Attempt): boolean {
  // A program that was not found is found again under its path, whatever it is asked to do.
  if (missingProgram(attempt.error) === firstWord(program))
    return !call.isLook && call.programs.some((one) => firstWord(one) === firstWord(program));
  return call.programs.includes(program);
}

const SIDE_SHOW =
  /^(?:cd|echo|printf|export|set|source|sleep|mkdir|true|wait|\[|test|head|tail|tee|wc|grep|cat|sed|ls|rm|cp|mv|touch|find|sort|jq|xargs|awk|tr|cut)$/;

function firstWord(program: string): string {
  return program.split(" ")[0] ?? program;
}

/** The program that a shell did not find. */
function missingProgram(error: string): string | undefined {
  const found = /command not found: ([\w.+-]+)|(?<![\w)])([a-z][\w.+-]*): (?:command )?not found/i.exec(
    error,
  );
  return found?.[1] ?? found?.[2];
}

const GIT_SAYS = /^(?:fatal|hint|error: (?:pathspec|cannot|could not|failed to push|your local changes))/i;

/** The programs of a failed command line that may be at fault: the one that the error names, else all that do something. */
function culprits({ programs, error }: Attempt): string[] {
  const named = missingProgram(error);
  const byName = named === undefined ? [] : programs.filter((program) => firstWord(program) === named);
  if (byName.length > 0) return byName;
  const ofGit = GIT_SAYS.test(error) ? programs.filter((program) => firstWord(program) === "git") : [];
  if (ofGit.length > 0) return ofGit;
  const doers = programs.filter((program) => !SIDE_SHOW.test(program));
  return doers.length > 0 ? doers : programs;
}

function hostOf(what: string): string {
  return /https?:\/\/([^\s/"]{1,200})/.exec(what)?.[1] ?? "";
}

/** Tools of one server do one job: `mcp__playwright__click` and `mcp__playwright__type`; fetching and searching too. */
function familyOf(tool: string): string {
  const server = /^(mcp__.+?)__/.exec(tool)?.[1];
  return server ?? (/^web/i.test(tool) ? "web" : tool);
}
