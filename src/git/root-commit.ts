import { existsSync } from "node:fs";
import { join } from "node:path";
import type { GitDirectory } from "./git-directory.ts";
import { runGit } from "./run-git.ts";

/** A history that takes longer to walk than this, in milliseconds, has no known root. */
const TIMEOUT_MS = 5000;
/** There are as many roots as histories were joined. */
const MAX_BYTES = 64 * 1024;

/**
 * The first commit of the main line of history: what clones and forks share under any name. Merged-in histories do not
 * count (two projects that vendor one library are not one). Undefined without commits, without git, for a shallow
 * clone, and when the walk takes too long.
 */
export async function findRootCommit(directory: GitDirectory): Promise<string | undefined> {
  if (existsSync(join(directory.commonDir, "shallow"))) return undefined;
  try {
    const { stdout } = await runGit(["rev-list", "--max-parents=0", "--first-parent", "HEAD"], {
      cwd: directory.root,
      gitDir: directory.gitDir,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    });
    const root = stdout.trim().split("\n").at(-1) ?? "";
    return /^[0-9a-f]{40,64}$/.test(root) ? root : undefined;
  } catch {
    return undefined;
  }
}
