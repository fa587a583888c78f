import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, onTestFinished } from "vitest";
import { approveLaid, makeStore, memoryFile } from "../home/temporary-heed.ts";

/** The built heed, as clients start it. */
export const HEED: string = join(import.meta.dirname, "../../plugin/dist/heed.cjs");

interface RunOptions {
  env?: Readonly<Record<string, string>>;
  node?: readonly string[];
  cwd?: string;
}

export type HeedRun = Pick<SpawnSyncReturns<string>, "status" | "stdout" | "stderr">;

/** Runs at the end of the test, or of the group of tests for which something is made. */
export function atEnd(run: () => void | Promise<void>): void {
  try {
    onTestFinished(run);
  } catch {
    afterAll(run);
  }
}

/**
 * A home of its own for processes under test, removed after the test or the group of tests that it is made for: nothing of
 * the machine's own stores or settings is seen.
 */
export class SandboxHome {
  readonly root: string = realpathSync(mkdtempSync(join(tmpdir(), "heed-surface-")));
  /** A working directory outside any repository. */
  readonly work: string = join(this.root, "work");
  readonly userStore: string = join(this.root, "store");
  readonly state: string = join(this.root, "state");
  readonly env: Record<string, string> = {
    PATH: process.env["PATH"] ?? "",
    HOME: this.root,
    HEED_DIR: this.userStore,
    HEED_STATE_DIR: this.state,
    HEED_CACHE_DIR: join(this.root, "cache"),
    HEED_CONFIG_DIR: join(this.root, "config"),
    HEED_RECHECK_MS: "5000",
    NODE_EXTRA_CA_CERTS: "",
  };
  readonly atEnd: typeof atEnd;
  #isApproving = false;

  /** @param end - `onTestFinished` of a test that runs beside others: which one it is, only the test itself can say. */
  constructor(end: typeof atEnd = atEnd) {
    this.atEnd = end;
    end(() => rmSync(this.root, { recursive: true, force: true, maxRetries: 10 }));
    mkdirSync(this.work);
    shareCompiledCode(join(this.root, "cache"));
  }

  write(path: string, text: string): string {
    const file = join(this.root, path);
    const isUsers = path.startsWith("store/");
    if (isUsers && makeStore(this.userStore, this.state)) this.#isApproving = true;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    if (isUsers && this.#isApproving) approveLaid(this.userStore, file, this.state);
    return file;
  }

  run(
    args: readonly string[],
    input: string | Buffer = "",
    { env, node = [], cwd = this.work }: RunOptions = {},
  ): HeedRun {
    const options = { cwd, env: { ...this.env, ...env }, input, encoding: "utf8" } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [...node, HEED, ...args], options);
    return { status, stdout, stderr };
  }

  /** What a client sends to a hook at an event of session `s1` in the working directory. */
  event(name: string, more: object = {}): string {
    return JSON.stringify({ hook_event_name: name, session_id: "s1", cwd: this.work, ...more });
  }
}

/** Has heed's processes with this cache use the compiled code of the whole run: compiling takes half of their time. */
export function shareCompiledCode(cache: string): void {
  const shared = process.env["HEED_TEST_CODE"];
  if (shared === undefined) return;
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  symlinkSync(shared, join(cache, "code"));
}

/** A rule that is in force. */
export const RULE: string = memoryFile({
  type: "feedback",
  name: "keep-the-lockfile",
  statement: "never edit package-lock.json by hand",
  body: "Never edit it.\n**Why:** a hand edit broke the build.\n**How to apply:** run npm install instead.",
});
