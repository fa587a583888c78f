// Puts what is installed from a git address on the branch `release`: the built plugin, the manifests, the action and the
// hook for pull requests, and nothing of the sources. Run it in a clean checkout after `npm run build`; it moves the local
// branch only. Prints the commit.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What a client, a marketplace or a CI system reads from a git address. */
const SHIPPED = [
  ".agents",
  ".claude-plugin",
  ".cursor-plugin",
  ".pre-commit-hooks.yaml",
  "CHANGELOG.md",
  "LICENSE",
  "README.md",
  "action.yml",
  "docs/demo.svg",
  "docs/ui.png",
  "examples/ci",
  "gemini-extension.json",
  "hooks",
  "plugin",
  "server.json",
];
const BRANCH = "refs/heads/release";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const folder = mkdtempSync(join(tmpdir(), "heed-release-"));
const git = (...args) =>
  execFileSync("git", args, {
    encoding: "utf8",
    env: { ...process.env, GIT_INDEX_FILE: join(folder, "index") },
  }).trim();

try {
  const dirty = execFileSync("git", ["status", "--porcelain", "--", ...SHIPPED], { encoding: "utf8" });
  if (dirty !== "") {
    console.error(`release-branch: commit or discard these first:\n${dirty}`);
    process.exit(2);
  }
  // Built files are ignored, so they are forced in.
  git("add", "--force", "--", ...SHIPPED);
  const tree = git("write-tree");
  const source = git("rev-parse", "HEAD");
  const before = git("for-each-ref", "--format=%(objectname)", BRANCH);
  const parents = before === "" ? [] : ["-p", before];
  const commit = git("commit-tree", tree, ...parents, "-m", `heed ${version}, built from ${source}`);
  git("update-ref", BRANCH, commit);
  console.log(commit);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
