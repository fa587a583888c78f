import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

/** A client: a process of this name that starts one program and lives as long as it. */
const CLIENT = `
const { spawn } = require("node:child_process");
const [program, ...args] = process.argv.slice(process.argv.indexOf("--run") + 1);
const child = spawn(program, args, { stdio: "inherit" });
child.on("exit", (code) => process.exit(code ?? 1));
`;
/** Starts the client and goes, so that nothing of whoever runs the tests, an agent perhaps, stands above it. */
const STEP = `
const { spawn } = require("node:child_process");
const [argv0, ...args] = process.argv.slice(1);
spawn(process.execPath, args, { argv0, detached: true, stdio: ["inherit", "inherit", "inherit", 3] }).unref();
process.exit(0);
`;
/** Stays as long as the client: the pipe of its own that it hands on ends with that. */
const LAUNCHER = `
const { spawn } = require("node:child_process");
const step = spawn(process.execPath, process.argv.slice(1), { stdio: ["inherit", "inherit", "inherit", "pipe"] });
step.stdio[3].resume().on("close", () => process.exit(0));
`;

/** The arguments of Node, and the name, by which a process is a client that starts a program in Node. */
export function clientProcess(
  [name, ...words]: readonly [string, ...string[]],
  command: readonly string[],
): { argv0: string; args: string[] } {
  return { argv0: name, args: ["-e", CLIENT, "--", ...words, "--run", process.execPath, ...command] };
}

/** The process that a client started; on Linux alone. */
export function startedBy(client: number | undefined): number {
  return Number(readFileSync(`/proc/${client}/task/${client}/children`, "utf8").trim());
}

/**
 * Starts heed as a client does: hooks and dialogs count in no server that a script started, which a test is. The process
 * that comes back has the input and output of heed, and ends with it; heed ends with its input.
 *
 * @param clientWords - What the client was started with: `["claude"]`.
 */
export function asClient(
  clientWords: readonly [string, ...string[]],
  command: readonly string[],
  options: { cwd: string; env: Record<string, string> },
): ChildProcessWithoutNullStreams {
  // On Windows nobody can tell who started what.
  if (process.platform === "win32") return spawn(process.execPath, command, options);
  const { argv0, args } = clientProcess(clientWords, command);
  return spawn(process.execPath, ["-e", LAUNCHER, "--", "-e", STEP, "--", argv0, ...args], {
    ...options,
    stdio: "pipe",
  });
}
