import { execFileSync } from "node:child_process";
import { ROOT } from "./manifests.ts";

/**
 * Makes `folder` a bare repository as people install from: `main` holds the work tree without what is built, `release`
 * what `scripts/release-branch.mjs` makes of it. Needs a build. Gives the folder.
 */
export function makeGitAddress(folder: string): string {
  const env = {
    ...process.env,
    GIT_DIR: folder,
    GIT_WORK_TREE: ROOT,
    ...Object.fromEntries(
      ["AUTHOR", "COMMITTER"].flatMap((role) => [
        [`GIT_${role}_NAME`, "Test"],
        [`GIT_${role}_EMAIL`, "test@example.com"],
      ]),
    ),
  };
  const run = (program: string, ...args: string[]): void => {
    execFileSync(program, args, { cwd: ROOT, env, stdio: "pipe" });
  };
  execFileSync("git", ["init", "--quiet", "--bare", "--initial-branch=main", folder]);
  run("git", "add", "--all");
  run("git", "commit", "--quiet", "--no-verify", "--message=Sources");
  run(process.execPath, "scripts/release-branch.mjs");
  return folder;
}
