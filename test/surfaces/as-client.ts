import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";

/** A client: a process of this name that starts one program and lives as long as it. */
const CLIENT = `until [ "$1" = --run ]; do shift; done; shift; "$@" 3>&-; exit $?`;
/**
 * Starts the client and goes, so that nothing of whoever runs the tests, an agent perhaps, stands above it. What waits
 * is a reader of a pipe of the client's own, which ends with that.
 */
const LAUNCHER = `exec 4<&0 5>&1; ( exec -a "$0" bash "$@" <&4 3>&1 >&5 4<&- 5>&- & ) | cat 4<&- 5>&-`;

/**
 * Starts heed as a client does: hooks and dialogs count in no server that a script started, which a test is. The process
 * that comes back has the input and output of heed, and ends with it; heed ends with its input.
 *
 * The words before the command are what the client was started with: `["claude"]`.
 */
export function asClient(
  [name, ...words]: readonly [string, ...string[]],
  command: readonly string[],
  options: { cwd: string; env: Record<string, string> },
): ChildProcessWithoutNullStreams {
  // On Windows nobody can tell who started what.
  if (process.platform === "win32") return spawn(process.execPath, command, options);
  const args = ["-c", CLIENT, "--", ...words, "--run", process.execPath, ...command];
  return spawn("bash", ["-c", LAUNCHER, name, ...args], { ...options, stdio: "pipe" });
}

/** What heed prints that a client starts, ended and with this input. */
export function printedTo(
  ...[client, command, options, input]: [...Parameters<typeof asClient>, string]
): Promise<string> {
  const child = asClient(client, command, options);
  child.stdin.end(input);
  return text(child.stdout);
}
