import { spawn } from "node:child_process";
import fs, { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire, syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import tty from "node:tty";
import { join, resolve } from "node:path";
import { findPlaces } from "../../../src/machine/places.ts";
import type { TextStream } from "../../../src/surfaces/cli/output/output.ts";
import { runCli } from "../../../src/surfaces/cli/run-cli.ts";
import { AGENT_VARIABLES } from "../../../src/surfaces/processes.ts";
import { shareCompiledCode } from "../sandbox-home.ts";

/** The dispatcher as `npm run build` leaves it. */
const HEED = resolve(import.meta.dirname, "../../../plugin/dist/heed.cjs");

/** Somebody sits there: see the file. */
export const AT_A_TERMINAL: string = resolve(import.meta.dirname, "../../../scripts/at-a-terminal.cjs");

const AT_A_SCREEN = resolve(import.meta.dirname, "../../../scripts/at-a-screen.cjs");

/** What a finished process left. */
export interface Finished {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  /** Added to the environment. */
  env?: Record<string, string>;
  /** Written to stdin, which is closed at once otherwise. */
  input?: string;
  cwd?: string;
  /** Errors go to stdout, as by `2>&1`; in this process alone. */
  isMerged?: boolean;
}

/** What another bundle runs, what ends the process, and what reads a terminal: never run in the process of the test. */
const OWN_PROCESS = new Set(["capture", "hook", "mcp", "ui"]);
/** The run in this process that is under way: the next waits for it, since each sets the environment of the process. */
let underWay: Promise<unknown> = Promise.resolve();

/** Makes this process look as one at a terminal; returns what undoes that, as other tests run in it afterwards. */
function sitDown(): () => void {
  const load = createRequire(import.meta.url);
  const [{ isatty }, { fstatSync }] = [tty, fs];
  const parent = Object.getOwnPropertyDescriptor(process, "ppid");
  load(AT_A_TERMINAL);
  Reflect.deleteProperty(load.cache, AT_A_TERMINAL);
  syncBuiltinESMExports();
  return () => {
    tty.isatty = isatty;
    fs.fstatSync = fstatSync;
    if (parent) Object.defineProperty(process, "ppid", parent);
    syncBuiltinESMExports();
  };
}

/** A machine of its own: a fresh home, a folder to work in, and no trace of the agent that may run the tests. */
export class Machine {
  readonly home: string = mkdtempSync(join(tmpdir(), "heed-cli-"));
  readonly work: string = join(this.home, "work");
  /** Set for every process on this machine. */
  readonly variables: Record<string, string> = {};

  constructor() {
    mkdirSync(this.work);
    shareCompiledCode(findPlaces({ HOME: this.home }).cache);
  }

  /**
   * Runs `heed` with these arguments; those of a line are parted by blanks, but within single quotes. What is given no
   * input is run in this process, without the cost of a process; `spawn` runs the built program.
   */
  run(line: string | readonly string[], options: RunOptions = {}): Promise<Finished> {
    const words = wordsOf(line);
    if (options.input !== undefined || OWN_PROCESS.has(words[0] ?? "")) return this.spawn(words, options);
    const run = underWay.then(() => this.#runHere(words, options));
    underWay = run.catch(() => {});
    return run;
  }

  /** The same as a process of its own, as users run it. */
  spawn(line: string | readonly string[], options: RunOptions = {}): Promise<Finished> {
    return this.start(process.execPath, [HEED, ...wordsOf(line)], options);
  }

  async #runHere(
    words: readonly string[],
    { env, cwd = this.work, isMerged = false }: RunOptions,
  ): Promise<Finished> {
    const before = { env: process.env, cwd: process.cwd(), argv: process.argv };
    const leaveTerminal = sitDown();
    const finished: Finished = { exitCode: null, stdout: "", stderr: "" };
    const streamTo = (end: "stdout" | "stderr"): TextStream => ({ write: (text) => (finished[end] += text) });
    try {
      process.chdir(cwd);
      process.env = { ...this.environment(), ...env };
      process.argv = [process.execPath, HEED, ...words];
      const streams = [streamTo("stdout"), streamTo(isMerged ? "stdout" : "stderr")] as const;
      finished.exitCode = await runCli(words, streams);
    } finally {
      process.chdir(before.cwd);
      Object.assign(process, { env: before.env, argv: before.argv });
      leaveTerminal();
    }
    return finished;
  }

  /** Runs `heed … --json` and parses the one value on stdout. */
  async json(
    line: string | readonly string[],
    options: RunOptions = {},
  ): Promise<{ exitCode: number | null; value: unknown }> {
    const { exitCode, stdout } = await this.run([...wordsOf(line), "--json"], options);
    return { exitCode, value: JSON.parse(stdout) as unknown };
  }

  /**
   * Runs `heed` as a person at a screen who gives each question its answer, and the last one to all that follow, then Enter;
   * errors are in its output.
   */
  atScreen(line: string | readonly string[], answer: string | readonly string[] = ""): Promise<Finished> {
    const env = { NODE_OPTIONS: `--require ${AT_A_SCREEN}`, TERM: "dumb", NO_COLOR: "1" };
    const answers = [answer].flat();
    return this.start(process.execPath, [HEED, ...wordsOf(line)], { env }, (part) =>
      /\[[YyNn]\/[^\]]*\] $/.test(part)
        ? `${(answers.length > 1 ? answers.shift() : answers[0]) ?? ""}\n`
        : "",
    );
  }

  /** Runs any program on this machine. `heed` is on its PATH as `$HEED` only. */
  start(
    program: string,
    args: readonly string[],
    { env = {}, input = "", cwd = this.work }: RunOptions,
    /** What is typed at a piece of output; then errors are part of it. */
    typed?: (part: string) => string,
  ): Promise<Finished> {
    return new Promise((resolveRun, reject) => {
      const child = spawn(program, args, { cwd, env: { ...this.environment(), ...env }, stdio: "pipe" });
      let stdout = "";
      let stderr = "";
      const read = (text: string): void => {
        stdout += text;
        if (typed) child.stdin.write(typed(text));
      };
      child.stdout.setEncoding("utf8").on("data", read);
      child.stderr.setEncoding("utf8").on("data", typed ? read : (text: string) => (stderr += text));
      child.on("error", reject);
      child.on("close", (exitCode) => resolveRun({ exitCode, stdout, stderr }));
      child.stdin.on("error", () => {});
      if (!typed) child.stdin.end(input);
    });
  }

  /** The environment of a person's shell on this machine. */
  environment(): Record<string, string> {
    const hidden = new Set([
      ...AGENT_VARIABLES.map(([name]) => name),
      "AI_AGENT",
      "AGENT",
      "NO_COLOR",
      "FORCE_COLOR",
    ]);
    const kept = Object.entries(process.env).filter(
      ([name]) => !hidden.has(name) && !/^(HEED_|XDG_|GIT_|COLUMNS$)/.test(name),
    );
    return {
      ...(Object.fromEntries(kept) as Record<string, string>),
      HOME: this.home,
      TMPDIR: this.home,
      HEED,
      GIT_CONFIG_NOSYSTEM: "1",
      // A busy machine does not change what a test sees.
      HEED_RECHECK_MS: "5000",
      NODE_OPTIONS: `--require ${AT_A_TERMINAL}`,
      ...this.variables,
    };
  }

  remove(): void {
    rmSync(this.home, { recursive: true, force: true, maxRetries: 10 });
  }
}

function wordsOf(line: string | readonly string[]): readonly string[] {
  if (typeof line !== "string") return line;
  return [...line.matchAll(/(?:[^\s']|'[^']*')+/g)].map(([word]) => word.replaceAll("'", ""));
}
