import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Options that open heed over a home of its own, with a git repository as the working directory; removed at the end.
 * Your program calls `openHeed()`, or `openHeed({ cwd })`, and has the user's memories.
 */
export function temporaryHome() {
  const home = mkdtempSync(join(tmpdir(), "heed-example-"));
  process.once("exit", () => rmSync(home, { recursive: true, force: true }));
  const cwd = join(home, "shop");
  mkdirSync(cwd);
  const env = {
    PATH: process.env["PATH"],
    HOME: home,
    HEED_DIR: join(home, "memory"),
    HEED_STATE_DIR: join(home, "state"),
    HEED_CACHE_DIR: join(home, "cache"),
    HEED_CONFIG_DIR: join(home, "config"),
  };
  execFileSync("git", ["init", "--quiet", "--initial-branch=main"], { cwd, env });
  return { cwd, env };
}
