import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SAMPLE_RULE } from "./sample-events.ts";

/** A hook that needs longer is one that clients give up on. */
const TIMEOUT_MS = 10_000;

const RULE = `---
name: sesame
description: ${SAMPLE_RULE}
metadata:
  type: feedback
  guard: { tool: Bash, command: echo, args: [sesame], action: deny }
---
Never print the word sesame.
**Why:** the doctor asks for it.
**How to apply:** always.
`;

/** What a process gave back. */
export interface Outcome {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** A home with one rule in it, in which heed is run as a client runs it; nothing of the user's own is seen or written. */
export class ThrowawayHome {
  readonly root: string = mkdtempSync(join(tmpdir(), "heed-doctor-"));
  readonly work: string = join(this.root, "work");
  readonly #env: Readonly<Record<string, string>>;

  constructor(env: Readonly<Record<string, string | undefined>>) {
    const { PATH = "", SystemRoot } = env;
    this.#env = {
      PATH,
      ...(SystemRoot !== undefined && { SystemRoot }),
      HOME: this.root,
      USERPROFILE: this.root,
      HEED_DIR: join(this.root, "store"),
      HEED_STATE_DIR: join(this.root, "state"),
      HEED_CACHE_DIR: join(this.root, "cache"),
      HEED_CONFIG_DIR: join(this.root, "config"),
    };
    mkdirSync(this.work);
    mkdirSync(join(this.root, "store", "feedback"), { recursive: true });
    // A store that heed made here, as its records say: a rule that lies in no store of its is data.
    const trusted = { user: [realpathSync(join(this.root, "store"))] };
    mkdirSync(join(this.root, "state"));
    writeFileSync(
      join(this.root, "state", "stores.json"),
      JSON.stringify({ version: 1, trusted, attached: [] }),
    );
    writeFileSync(join(this.root, "store", "feedback", "sesame.md"), RULE);
  }

  /** Runs a command there with a text on stdin. */
  run(command: string, args: readonly string[], input: string): Promise<Outcome> {
    return new Promise((resolve) => {
      const options = { cwd: this.work, env: this.#env, timeout: TIMEOUT_MS, windowsHide: true };
      const child = execFile(command, [...args], options, (error, stdout, stderr) => {
        const code = error === null ? 0 : error.code;
        resolve({
          exitCode: typeof code === "number" ? code : null,
          stdout,
          stderr: stderr || (error?.message ?? ""),
        });
      });
      child.stdin?.on("error", () => {});
      child.stdin?.end(input);
    });
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true, maxRetries: 3 });
  }
}
