// Puts what is installed from a git address on the branch `release`: the built plugin, the manifests, the action and the
// hook for pull requests, and nothing of the sources. The marketplaces of main name this branch; on it they name the plugin
// beside them, so that a mirror or a clone serves it too. Run it in a clean checkout after `npm run build`; it moves the
// local branch only. Prints the commit.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
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
  "mcp.json",
  "plugin",
  "plugin.json",
  "server.json",
];
/** The marketplaces, and how each names a folder beside it. */
const BESIDE = {
  ".claude-plugin/marketplace.json": "./plugin",
  ".agents/plugins/marketplace.json": { source: "local", path: "./plugin" },
};
const BRANCH = "refs/heads/release";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const folder = mkdtempSync(join(tmpdir(), "heed-release-"));
const git = (args, input) =>
  execFileSync("git", args, {
    encoding: "utf8",
    input,
    env: { ...process.env, GIT_INDEX_FILE: join(folder, "index") },
  }).trim();

try {
  if (!existsSync("plugin/dist/heed.cjs")) {
    console.error("release-branch: plugin/dist is not built: run npm run build first");
    process.exit(2);
  }
  const dirty = execFileSync("git", ["status", "--porcelain", "--", ...SHIPPED], { encoding: "utf8" });
  if (dirty !== "") {
    console.error(`release-branch: commit or discard these first:\n${dirty}`);
    process.exit(2);
  }
  // Built files are ignored, so they are forced in.
  git(["add", "--force", "--", ...SHIPPED]);
  // Agent Plugins and the Gemini CLI look for skills at the root.
  git(["read-tree", "--prefix=skills/", "HEAD:plugin/skills"]);
  for (const [file, source] of Object.entries(BESIDE)) {
    const marketplace = JSON.parse(readFileSync(file, "utf8"));
    for (const plugin of marketplace.plugins) plugin.source = source;
    const blob = git(["hash-object", "-w", "--stdin"], `${JSON.stringify(marketplace, null, 2)}\n`);
    git(["update-index", "--cacheinfo", `100644,${blob},${file}`]);
  }
  const tree = git(["write-tree"]);
  const source = git(["rev-parse", "HEAD"]);
  const before = git(["for-each-ref", "--format=%(objectname)", BRANCH]);
  const parents = before === "" ? [] : ["-p", before];
  const commit = git(["commit-tree", tree, ...parents, "-m", `heed ${version}, built from ${source}`]);
  git(["update-ref", BRANCH, commit]);
  console.log(commit);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
