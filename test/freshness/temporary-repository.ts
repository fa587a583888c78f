import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Machine, ClaimBreak } from "../../src/freshness/verdict.ts";
import { checkClaim } from "../../src/freshness/check-claim.ts";
import { explainBreak } from "../../src/freshness/explain-break.ts";
import { RepositoryHistory } from "../../src/freshness/repository-history.ts";
import { WorkTree } from "../../src/freshness/work-tree.ts";
import { type Claim, parseClaim } from "../../src/memory/claims/parse-claim.ts";
import { commitAt, initRepository } from "../home/temporary-heed.ts";

/** A git repository in a folder of its own, with a clock that goes on by a day a commit. */
export class TemporaryRepository {
  readonly root: string = realpathSync(mkdtempSync(join(tmpdir(), "heed-fresh-")));
  readonly env: Record<string, string> = {
    PATH: process.env["PATH"] ?? "",
    HOME: this.root,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "Ada",
    GIT_AUTHOR_EMAIL: "ada@example.org",
    GIT_COMMITTER_NAME: "Ada",
    GIT_COMMITTER_EMAIL: "ada@example.org",
  };
  #day = 1;

  constructor(files: Readonly<Record<string, string>> = {}) {
    initRepository(this.root);
    if (Object.keys(files).length > 0) this.commit(files);
  }

  git(...args: string[]): string {
    const date = `2026-01-${String(this.#day).padStart(2, "0")}T12:00:00Z`;
    return execFileSync("git", args, {
      cwd: this.root,
      env: { ...this.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
      encoding: "utf8",
      stdio: "pipe",
    }).trim();
  }

  write(path: string, text: string): void {
    this.writeBytes(path, Buffer.from(text));
  }

  writeBytes(path: string, bytes: Buffer): void {
    const file = join(this.root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  }

  /** Writes files (null removes one) and commits all; the id of the commit. */
  commit(files: Readonly<Record<string, string | null>>, message = "change"): string {
    for (const [path, text] of Object.entries(files)) {
      if (text === null) rmSync(join(this.root, path), { recursive: true });
      else this.write(path, text);
    }
    this.git("add", "-A");
    this.#day += 1;
    this.git("commit", "-q", "--allow-empty", "-m", message);
    return commitAt(this.root);
  }

  move(from: string, to: string): void {
    mkdirSync(dirname(join(this.root, to)), { recursive: true });
    renameSync(join(this.root, from), join(this.root, to));
  }

  machine(): Machine {
    return { root: this.root, env: this.env, now: new Date("2026-11-21T12:00:00Z") };
  }

  /** `kept`, or the state with what was found. */
  async check(text: string): Promise<string> {
    const { state, finding } = await checkClaim(claimOf(text), new WorkTree(this.root), this.machine());
    return finding === undefined ? state : `${state}: ${finding}`;
  }

  async explain(text: string, origin?: string): Promise<ClaimBreak> {
    const tree = new WorkTree(this.root);
    const claim = claimOf(text);
    const finding = await checkClaim(claim, tree, this.machine());
    const history = new RepositoryHistory(this.root, this.env);
    return explainBreak(claim, finding, { tree, history, machine: this.machine(), origin });
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The claim that a text states. */
export function claimOf(text: string): Claim {
  const reading = parseClaim(text);
  if (!reading.claim) throw new Error(reading.message);
  return reading.claim;
}
