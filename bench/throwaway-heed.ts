import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Heed } from "../src/heed.ts";
import { openHeed } from "../src/heed.ts";

/** heed over a home and a repository that are taken away afterwards. */
export interface ThrowawayHeed {
  heed: Heed;
  /** Writes a file of the repository and commits it. */
  commit: (path: string, text: string) => void;
  git: (...args: string[]) => void;
}

/** Runs a task with a heed of its own, on a given day. */
export async function withThrowawayHeed<T>(
  day: string,
  task: (desk: ThrowawayHeed) => Promise<T>,
): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), "heed-truth-"));
  const project = join(home, "project");
  const store = join(home, "memory");
  mkdirSync(project);
  mkdirSync(store);
  const git = (...args: string[]): void => {
    execFileSync(
      "git",
      ["-c", "user.name=a", "-c", "user.email=a@acme.example", "-c", "commit.gpgsign=false", ...args],
      {
        cwd: project,
        stdio: "ignore",
      },
    );
  };
  git("init", "-q", "-b", "main");
  const heed = openHeed({
    cwd: project,
    env: { HOME: home, HEED_DIR: store, PATH: process.env["PATH"] },
    now: () => new Date(`${day}T12:00:00Z`),
  });
  const commit = (path: string, text: string): void => {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
    git("add", "-A");
    git("commit", "-q", "-m", `change ${path}`);
  };
  try {
    return await task({ heed, commit, git });
  } finally {
    await heed.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  }
}
