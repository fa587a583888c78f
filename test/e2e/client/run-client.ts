import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { join } from "node:path";
import { networkIsolation } from "./network-isolation.ts";
import { REPOSITORY } from "./sandbox.ts";

export const RELAY: string = join(REPOSITORY, "test", "e2e", "client", "loopback-relay.mjs");

/** How to start the client once. */
export interface ClientRun {
  client: string;
  args: readonly string[];
  cwd: string;
  /** The whole environment: nothing is inherited. */
  env: Readonly<Record<string, string>>;
  apiSocket: string;
  timeoutMs: number;
  /** In a terminal: in a window of tmux. */
  isInTmux?: boolean;
  onLine?: (line: string) => void;
}

export interface ClientExit {
  /** Null when it was killed, by its time limit too. */
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** A client that runs: write to `stdin`, end it, and wait for `exit`. */
export interface RunningClient {
  stdin: ChildProcessWithoutNullStreams["stdin"];
  exit: Promise<ClientExit>;
}

/** Starts the client without a way to the network; past its time limit it is killed with all that it started. */
export function startClient(run: ClientRun): RunningClient {
  const [command = "", ...args] = [
    ...networkIsolation(),
    process.execPath,
    RELAY,
    run.apiSocket,
    run.client,
    ...run.args,
  ];
  const child = spawn(command, args, { cwd: run.cwd, env: run.env, detached: true });
  const killGroup = (): void => {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  };
  const deadline = setTimeout(killGroup, run.timeoutMs);
  let stdout = "";
  let stderr = "";
  let unread = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk;
    const lines = (unread + chunk).split("\n");
    unread = lines.pop() ?? "";
    for (const line of lines) run.onLine?.(line);
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk;
  });
  // A client that ends early closes its stdin: that shows in its exit code, not as a crash of the test.
  child.stdin.on("error", () => {});
  const exit = new Promise<ClientExit>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exitCode) => resolve({ exitCode, stdout, stderr }));
  }).finally(() => clearTimeout(deadline));
  return { stdin: child.stdin, exit };
}
