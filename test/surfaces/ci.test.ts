import { spawnSync } from "node:child_process";
import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { git, gitEnvironment } from "../machine/git-sandbox.ts";
import { temporaryFolder } from "../store/temporary-store.ts";

/** As a runner starts it. */
const ACTION = parse(readFileSync("action.yml", "utf8")) as { runs: { steps: [{ run: string }] } };
let env: Record<string, string>;
let clone: string;

const MEMORY = `---
name: limit
description: the limit of the table is one
metadata:
  type: project
  claims: ["path:table.ts::LIMIT=1"]
---
It is set there.
`;

/** A pull request that moves what a memory names, checked out as GitHub does: its merge, two commits deep. */
const made = mkdtempSync(join(tmpdir(), "heed-ci-"));
afterAll(() => rmSync(made, { recursive: true }));
function makeClone(): void {
  const origin = join(made, "origin");
  mkdirSync(origin);
  git(origin, env, "init", "-q", "-b", "main", ".");
  mkdirSync(join(origin, ".heed"));
  writeFileSync(join(origin, "router.ts"), "export function route() {\n  return 1;\n}\n");
  const memory = "---\nname: routes\ndescription: all routes are in router.ts\nmetadata:\n  type: project\n";
  writeFileSync(
    join(origin, ".heed/routes.md"),
    `${memory}  claims: [path:router.ts]\n---\nSee \`router.ts\`.\n`,
  );
  const step = (): void => {
    git(origin, env, "add", "-A");
    git(origin, env, "commit", "-qm", "step");
  };
  step();
  git(origin, env, "checkout", "-qb", "feature");
  git(origin, env, "mv", "router.ts", "table.ts");
  step();
  git(origin, env, "checkout", "-q", "main");
  git(origin, env, "merge", "-q", "--no-ff", "-m", "merge", "feature");
  git(made, env, "clone", "-q", "--depth=2", `file://${origin}`, "clone");
}

beforeEach(() => {
  env = gitEnvironment();
  clone = temporaryFolder();
  if (!existsSync(join(made, "clone"))) makeClone();
  cpSync(join(made, "clone"), clone, { recursive: true, preserveTimestamps: true });
});

function run(
  base: string,
  more: Record<string, string> = {},
): { status: number | null; stdout: string; stderr: string } {
  const given = { GITHUB_ACTION_PATH: resolve("."), HEED_BASE: base, ...more };
  const script = ["-e", "-c", ACTION.runs.steps[0].run];
  return spawnSync("sh", script, { cwd: clone, env: { ...env, ...given }, encoding: "utf8" });
}

describe("the action for CI", () => {
  it("annotates a pull request, sums it up, and writes SARIF", () => {
    const [summary, sarif] = [join(temporaryFolder(), "summary.md"), join(temporaryFolder(), "heed.sarif")];
    const more = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: summary, HEED_SARIF: sarif };
    const { status, stdout } = run("HEAD^1", more);
    expect(status).toBe(1);
    expect(stdout).toMatch(
      /^::error file=\.heed\/routes\.md,line=\d+,title=heed%3A made-false::routes is not true: router\.ts was renamed to table\.ts/,
    );
    expect(readFileSync(summary, "utf8")).toContain("+  claims: [path:table.ts]");
    expect(JSON.parse(readFileSync(sarif, "utf8"))).toMatchObject({ version: "2.1.0" });
  });

  it.each([
    ["HEAD", 0, /0 errors/],
    ["HEAD^1", 1, /error \.heed\/routes\.md/],
    ["nowhere", 2, /names no commit .*git fetch/],
    ["HEAD^1..HEAD", 2, /names no commit/],
  ])("compares with %s elsewhere and exits with %i", (base, code, words) => {
    const { status, stdout, stderr } = run(base);
    expect(stdout + stderr).toMatch(words);
    expect(status).toBe(code);
  });
});

describe("what others take from this repository", () => {
  it("is a hook of pre-commit that is there and may be run", () => {
    const [hook] = parse(readFileSync(".pre-commit-hooks.yaml", "utf8")) as {
      entry: string;
      language: string;
    }[];
    const [program = "", ...args] = hook?.entry.split(" ") ?? [];
    accessSync(program, constants.X_OK);
    const { status } = spawnSync(resolve(program), args, { cwd: clone, env, encoding: "utf8" });
    expect(status).toBe(0);
  });

  it.each([
    ["commit -am", (tree: string) => ["-C", tree, "commit", "-qam", "x"]],
    ["commit FILE", (tree: string) => ["-C", tree, "commit", "-qm", "x", "table.ts", "other.txt"]],
  ])("checks what `git %s` commits, in a worktree too", (_how, command) => {
    const [hook] = parse(readFileSync(".pre-commit-hooks.yaml", "utf8")) as { entry: string }[];
    const script = join(clone, ".git/hooks/pre-commit");
    mkdirSync(join(clone, ".git/hooks"), { recursive: true });
    writeFileSync(script, `#!/bin/sh\nexec ${resolve(".")}/${hook?.entry ?? ""}\n`, { mode: 0o755 });
    writeFileSync(join(clone, ".heed/table.md"), MEMORY);
    writeFileSync(join(clone, "table.ts"), "export const LIMIT = 1;\n");
    writeFileSync(join(clone, "other.txt"), "a\n");
    git(clone, env, "add", ".");
    git(clone, env, "commit", "-qm", "a memory");
    const worktree = join(temporaryFolder(), "wt");
    git(clone, env, "worktree", "add", "-q", worktree);
    for (const tree of [clone, worktree]) {
      const run = (): ReturnType<typeof spawnSync> =>
        spawnSync("git", command(tree), { env, encoding: "utf8" });
      writeFileSync(join(tree, "table.ts"), "export const LIMIT = 2;\n");
      expect(run()).toMatchObject({ status: 1, stderr: expect.stringContaining("LIMIT is 2 now") as string });
      writeFileSync(join(tree, "table.ts"), "export const LIMIT = 1;\n// still\n");
      writeFileSync(join(tree, "other.txt"), "b\n");
      expect(run()).toMatchObject({ status: 0, stderr: expect.stringContaining("0 errors") as string });
      // Neither what is only staged nor what is only in the work tree belongs to the commit of another file.
      writeFileSync(join(tree, "table.ts"), "export const LIMIT = 3;\n");
      writeFileSync(join(tree, "other.txt"), "c\n");
      git(tree, env, "add", "table.ts");
      git(tree, env, "commit", "-qm", "other", "other.txt");
    }
  });
});
