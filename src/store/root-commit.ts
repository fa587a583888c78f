import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { GitDirectory } from "./git-directory.ts";

/** A history that takes longer to walk than this, in milliseconds, has no known root. */
const TIMEOUT_MS = 5000;

/** Nothing that a repository's own configuration names may run, and nothing may be fetched. */
const HARMLESS = [
  "-c",
  "core.fsmonitor=false",
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "protocol.allow=never",
];

/**
 * The first commit of the main line of history: what clones and forks share under any name. Merged-in histories do not
 * count (two projects that vendor one library are not one). Undefined without commits, without git, for a shallow
 * clone, and when the walk takes too long.
 */
export async function findRootCommit(directory: GitDirectory): Promise<string | undefined> {
  if (existsSync(join(directory.commonDir, "shallow"))) return undefined;
  const args = [...HARMLESS, "rev-list", "--max-parents=0", "--first-parent", "HEAD"];
  const options = {
    cwd: directory.root,
    env: harmlessEnvironment(),
    timeout: TIMEOUT_MS,
    maxBuffer: 64 * 1024,
  };
  return new Promise((done) => {
    execFile("git", args, options, (error, stdout) => {
      const root = stdout.trim().split("\n").at(-1) ?? "";
      done(!error && /^[0-9a-f]{40,64}$/.test(root) ? root : undefined);
    });
  });
}

/** The process's environment without variables that point git elsewhere. */
function harmlessEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([key]) => !key.startsWith("GIT_"));
  return {
    ...Object.fromEntries(inherited),
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_NO_LAZY_FETCH: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
  };
}
