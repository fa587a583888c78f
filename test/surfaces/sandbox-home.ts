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

/** A home of its own for processes under test: nothing of the machine's own stores or settings is seen. */
export interface SandboxHome {
  root: string;
  /** A working directory outside any repository. */
  work: string;
  userStore: string;
  state: string;
  env: Record<string, string>;
  write(path: string, text: string): string;
  run(args: readonly string[], input?: string | Buffer, options?: RunOptions): HeedRun;
  /** What a client sends to a hook at an event of session `s1` in the working directory. */
  event(name: string, more?: object): string;
  atEnd(run: () => void | Promise<void>): void;
}

/** Runs at the end of the test, or of the group of tests for which something is made. */
export function atEnd(run: () => void | Promise<void>): void {
  try {
    onTestFinished(run);
  } catch {
    afterAll(run);
  }
}

/**
 * Makes such a home, removed after the test or the group of tests that it is made for.
 *
 * @param end - `onTestFinished` of a test that runs beside others: which one it is, only the test itself can say.
 */
export function sandboxHome(end: SandboxHome["atEnd"] = atEnd): SandboxHome {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "heed-surface-")));
  end(() => rmSync(root, { recursive: true, force: true, maxRetries: 10 }));
  let isApproving = false;
  const home = {
    root,
    work: join(root, "work"),
    userStore: join(root, "store"),
    state: join(root, "state"),
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: root,
      HEED_DIR: join(root, "store"),
      HEED_STATE_DIR: join(root, "state"),
      HEED_CACHE_DIR: join(root, "cache"),
      HEED_CONFIG_DIR: join(root, "config"),
      HEED_RECHECK_MS: "5000",
      NODE_EXTRA_CA_CERTS: "",
    },
    write(path: string, text: string): string {
      const file = join(root, path);
      const isUsers = path.startsWith("store/");
      if (isUsers && makeStore(home.userStore, home.state)) isApproving = true;
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      if (isUsers && isApproving) approveLaid(home.userStore, file, home.state);
      return file;
    },
    run(
      args: readonly string[],
      input: string | Buffer = "",
      { env, node = [], cwd }: RunOptions = {},
    ): HeedRun {
      const options = {
        cwd: cwd ?? home.work,
        env: { ...home.env, ...env },
        input,
        encoding: "utf8",
      } as const;
      const { status, stdout, stderr } = spawnSync(process.execPath, [...node, HEED, ...args], options);
      return { status, stdout, stderr };
    },
    event: (name: string, more: object = {}): string =>
      JSON.stringify({ hook_event_name: name, session_id: "s1", cwd: home.work, ...more }),
    atEnd: end,
  };
  mkdirSync(home.work);
  shareCompiledCode(home.env.HEED_CACHE_DIR);
  return home;
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
