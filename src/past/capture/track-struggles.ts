import type { FailedCommand, Passage, PendingCommand } from "../../here/records/past-conversations.ts";
import { redactSecrets } from "../../memory/screening/find-secrets.ts";
import { oneLine, pushBounded } from "./one-line.ts";
import { isLook } from "./tool-call.ts";
import type { ToolOutcome } from "./transcript/transcript-event.ts";

export interface Struggle {
  text: string;
  failures: number;
  failed: string;
}

/** Whether the model is asked about a struggle: after two failures and another command, or three and the same. */
export function isAsked({ failures = 0, failed, text }: Passage): boolean {
  return failures >= (failed === workedIn(text) ? 3 : 2);
}

const FAILED = "failed: ";
const WORKED = "worked then: ";

export function workedIn(text: string): string {
  const line = text.split("\n").at(-1) ?? "";
  return line.startsWith(WORKED) ? line.slice(WORKED.length) : "";
}

/** What may be a command that failed, of the text of a struggle: the output behind it is in brackets, and so may its own end be. */
export function triesIn(text: string): string[] {
  const lines = text.split("\n").filter((line) => line.startsWith(FAILED));
  return lines.flatMap((line) =>
    Array.from(line.matchAll(/ \(/g), ({ index }) => line.slice(FAILED.length, index)),
  );
}

/** After this many other commands a failure is given up. */
const MAX_AGE = 25;
const MAX_OPEN = 8;
const MAX_TRIES = 5;
const MAX_CHANGES = 6;

/** Takes the result of a command: by exit status, test summary and program names tells whether a struggle ended; never by prose. */
export function trackStruggles(
  open: FailedCommand[],
  { what, size, programs }: PendingCommand,
  given: ToolOutcome,
  output: string,
): Struggle | undefined {
  for (const failure of open.splice(0)) if ((failure.age += 1) <= MAX_AGE) open.push(failure);
  const doing = programs.filter((program) => !isLook(program));
  if (given === "refused" || doing.length === 0) return undefined;
  const hasFailed = given === "failed" || TESTS_FAILED.test(output.replaceAll(ESCAPES, ""));
  const at = open.findLastIndex((failure) => failure.programs.some((program) => doing.includes(program)));
  const known = open[at];
  if (hasFailed) {
    const failure = known ?? {
      programs: doing,
      tries: [],
      failed: what,
      failures: 0,
      size,
      age: 0,
      changes: [],
    };
    if (!known) pushBounded(open, failure, MAX_OPEN);
    failure.age = 0;
    failure.failed = what;
    failure.size = size;
    failure.failures += 1;
    // The first and the last tries tell most.
    const line = `${FAILED}${what} (${lastLine(redactSecrets(output))})`;
    if (!failure.tries.includes(line)) failure.tries.push(line);
    if (failure.tries.length > MAX_TRIES) failure.tries.splice(1, 1);
    return undefined;
  }
  if (!known) {
    noteChange(open, oneLine(what, 80));
    return undefined;
  }
  open.splice(at, 1);
  const { tries, failures, failed, changes } = known;
  const isSame = known.size === size && tries.every((line) => line.startsWith(`${FAILED}${what} (`));
  // It passed by itself: a network, a lock.
  if (isSame && changes.length === 0) return undefined;
  const changed = changes.length === 0 ? [] : [`changed meanwhile: ${changes.join("; ")}`];
  return { text: [...tries, ...changed, WORKED + what].join("\n"), failures, failed };
}

/** Notes a changed file or a command that was run for all that has failed. */
export function noteChange(open: readonly FailedCommand[], what: string): void {
  for (const { changes } of open) if (!changes.includes(what)) pushBounded(changes, what, MAX_CHANGES);
}

const ESCAPES = /\p{Cc}\[[\d;]{0,20}m/gu;

/** Summaries of failed runs: pytest and unittest; Go; Cargo; Maven and Gradle; Jest, Vitest, Mocha, Playwright, Bun, node. */
const TESTS_FAILED = new RegExp(
  [
    "=* ?(?:\\d+ \\w+, )?[1-9]\\d* (?:failed|errors?)\\b.* in [\\d.]+s\\b",
    "FAILED \\((?:failures|errors)=\\d",
    "(?:FAIL|--- FAIL:)(?:\\s|$)",
    "test result: FAILED\\.|error: could not compile",
    "\\[(?:INFO|ERROR)\\] BUILD FAILURE|BUILD FAILED\\b",
    "[ \\t]*Tests:?[ \\t]+(?:\\d+ \\w+[,| ]+)*[1-9]\\d* failed",
    "[ \\t]+[1-9]\\d* (?:failing|failed|fail)$",
    "[ℹ#] fail [1-9]",
  ]
    .map((form) => `^(?:${form})`)
    .join("|"),
  "m",
);

function lastLine(output: string): string {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  return oneLine(lines.at(-1) ?? "", 240);
}
