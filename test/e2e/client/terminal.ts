import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import xterm from "@xterm/headless";
import { ownProcesses } from "./network-isolation.ts";
import { RELAY, type ClientExit, type ClientRun } from "./run-client.ts";

const COLUMNS = 160;
const ROWS = 60;
/** The keys by name; any other word is typed as it stands. */
const KEYS: Readonly<Record<string, string>> = {
  enter: "\r",
  escape: "\u001b",
  up: "\u001b[A",
  down: "\u001b[B",
  right: "\u001b[C",
};
/** Between two keys: the client drops some that come faster than it draws. */
const KEY_PAUSE_MS = 250;
const POLL_MS = 40;
/** By then a key has had its effect, if it was heard. */
const SEEN_MS = 1500;
const MAX_TRIES = 5;
/** For whatever is waited for, on a busy machine. */
const PATIENCE_MS = 60_000;

/**
 * A client in a terminal of its own, as a person sits before it: keys go in, and the screen is read.
 *
 * The terminal is made by `script` of util-linux and drawn by xterm.js without a window, which also answers what the client
 * asks its terminal. Inside, nothing of it shows: the client is in a process namespace of its own, since heed takes no
 * session for a user's that a program started in a terminal of its making.
 */
export class Terminal {
  readonly exit: Promise<ClientExit>;
  readonly #screen = new xterm.Terminal({
    cols: COLUMNS,
    rows: ROWS,
    scrollback: 10_000,
    allowProposedApi: true,
  });
  readonly #script: ChildProcessWithoutNullStreams;
  #isOver = false;

  constructor(run: ClientRun) {
    const client = shellText([process.execPath, RELAY, run.apiSocket, run.client, ...run.args]);
    const tmux = shellText(["tmux", "-S", `${run.apiSocket}.tmux`, "-f", "/dev/null", "new-session", client]);
    const command = `${shellText(ownProcesses())} ${run.isInTmux === true ? tmux : client}`;
    const inTerminal = `stty cols ${COLUMNS} rows ${ROWS}; exec ${command}`;
    this.#script = spawn("script", ["-qfec", inTerminal, "/dev/null"], {
      cwd: run.cwd,
      env: run.env,
      detached: true,
    });
    const kill = (): void => {
      if (this.#script.pid !== undefined) process.kill(-this.#script.pid, "SIGKILL");
    };
    const deadline = setTimeout(kill, run.timeoutMs);
    let stderr = "";
    this.#script.stdout.on("data", (chunk: Buffer) => this.#screen.write(chunk));
    this.#script.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      stderr += chunk;
    });
    this.#script.stdin.on("error", () => {});
    this.#screen.onData((answer) => this.#script.stdin.write(answer));
    this.exit = new Promise<ClientExit>((resolve, reject) => {
      const over = (exitCode: number | null): void => resolve({ exitCode, stdout: this.everything, stderr });
      // The client has ended; what it left behind runs on (loopback-relay.mjs).
      this.#screen.parser.registerOscHandler(7777, (code) => (over(Number(code)), true));
      this.#script.once("error", reject);
      this.#script.once("close", over);
    }).finally(() => {
      this.#isOver = true;
      clearTimeout(deadline);
    });
    this.exit.catch(() => {});
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get screen(): string {
    return this.#lines(this.#screen.buffer.active.baseY);
  }

  /** What it shows and what has scrolled away. */
  get everything(): string {
    return this.#lines(0);
  }

  /** Presses keys, one after another: names as in `KEYS`, else what is typed. */
  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      this.#script.stdin.write(KEYS[key] ?? key);
      await sleep(KEY_PAUSE_MS);
    }
  }

  /** Presses a key until it has had its effect: a busy client does not hear each. */
  async insist(key: string, what: string, isSo: () => boolean, seenMs: number = SEEN_MS): Promise<void> {
    let tries = 0;
    while (!isSo() && tries < MAX_TRIES) {
      tries += 1;
      await this.press(key);
      const end = performance.now() + seenMs;
      while (!isSo() && performance.now() < end) await sleep(POLL_MS);
    }
    await this.waitFor(what, isSo);
  }

  /** Pastes a text into the prompt, as a terminal that marks pastes does. */
  async paste(text: string): Promise<void> {
    await this.press(`\u001b[200~${text}\u001b[201~`);
  }

  /** Waits until the screen shows something; throws with the screen when it never does. */
  async until(pattern: RegExp): Promise<void> {
    await this.waitFor(`that the screen shows ${String(pattern)}`, () => pattern.test(this.screen));
  }

  /** Waits until something is so; throws with the screen when it never is. */
  async waitFor(what: string, isSo: () => boolean): Promise<void> {
    const end = performance.now() + PATIENCE_MS;
    while (!isSo()) {
      if (this.#isOver) throw new Error(`the client ended, waited for: ${what}\n${this.screen}`);
      if (performance.now() > end) throw new Error(`waited in vain: ${what}\n${this.screen}`);
      await sleep(POLL_MS);
    }
  }

  kill(): void {
    if (!this.#isOver && this.#script.pid !== undefined) process.kill(-this.#script.pid, "SIGKILL");
  }

  #lines(from: number): string {
    const { buffer } = this.#screen;
    const lines = Array.from({ length: buffer.active.length - from }, (_, row) =>
      buffer.active.getLine(from + row),
    );
    return lines
      .map((line) => line?.translateToString(true) ?? "")
      .join("\n")
      .trimEnd();
  }
}

function shellText(words: readonly string[]): string {
  return words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
}
