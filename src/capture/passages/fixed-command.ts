import { oneLine } from "../text/one-line.ts";
import { pushBounded } from "../text/push-bounded.ts";
import { isLook } from "../tool-call.ts";
import type { ToolOutcome } from "../transcript/transcript-event.ts";

/** A command that failed, and the other tries at it. */
export interface FailedCommand {
  programs: string[];
  /** One line each: the command and the last line of its output. */
  tries: string[];
  /** Commands since the last try. */
  age: number;
}

/** A command line that waits for its result. */
export interface PendingCommand {
  what: string;
  programs: string[];
}

/** After this many other commands a failure is given up. */
const MAX_AGE = 25;
const MAX_OPEN = 8;
const MAX_TRIES = 5;

/**
 * Takes the result of a command: after failures, another command line that runs the same program and succeeds is how it
 * was done. Goes by exit status and program names alone. Returns the failed tries and the success as text.
 */
export function trackFailures(
  open: FailedCommand[],
  { what, programs }: PendingCommand,
  outcome: ToolOutcome,
  output: string,
): string | undefined {
  // What an older heed kept has another form.
  for (const failure of open.splice(0))
    if (Array.isArray(failure.tries) && (failure.age += 1) <= MAX_AGE) open.push(failure);
  const doing = programs.filter((program) => !isLook(program));
  if (outcome === "refused" || doing.length === 0) return undefined;
  const at = open.findLastIndex((failure) => failure.programs.some((program) => doing.includes(program)));
  const known = open[at];
  if (outcome === "failed") {
    const line = `failed: ${what} (${lastLine(output)})`;
    if (!known) {
      pushBounded(open, { programs: doing, tries: [line], age: 0 }, MAX_OPEN);
      return undefined;
    }
    known.age = 0;
    // The first and the last tries tell most.
    if (!known.tries.includes(line)) known.tries.push(line);
    if (known.tries.length > MAX_TRIES) known.tries.splice(1, 1);
    return undefined;
  }
  if (!known) return undefined;
  open.splice(at, 1);
  // The same command line succeeds once its cause is fixed elsewhere, which it does not tell.
  const isSame = known.tries.every((line) => line.startsWith(`failed: ${what} (`));
  return isSame ? undefined : `${known.tries.join("\n")}\nworked then: ${what}`;
}

function lastLine(output: string): string {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  return oneLine(lines.at(-1) ?? "", 240);
}
