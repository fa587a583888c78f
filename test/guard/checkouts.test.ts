import { describe, expect, it } from "vitest";
import { evaluateGuards } from "../../src/guard/evaluate-guards.ts";
import { guardSet, outcomeOf } from "./guard-set.ts";

const set = guardSet({ command: ["git commit", "git push"], branches: ["main"] });
const TREES: Readonly<Record<string, string>> = {
  "/main": "main",
  "/feature": "feature",
  "/main/trees/a": "a",
};

/** What comes of a command at a folder of a machine with three working trees. */
function outcomeAt(cwd: string, command: string): string {
  const treeOf = (folder: string): { root: string; branch: string | undefined } | undefined => {
    const root = Object.keys(TREES).findLast((one) => `${folder}/`.startsWith(`${one}/`));
    return root === undefined ? undefined : { root, branch: TREES[root] };
  };
  const call = { tool: "Bash", input: { command }, cwd, roots: [cwd], home: undefined, treeOf };
  return outcomeOf(evaluateGuards({ ...call, branch: TREES[cwd] }, set));
}

describe("the branch is that of the working tree that git works on", () => {
  it.each([
    ["/feature", "git -C ../main commit -m x", "deny"],
    ["/feature", "cd /main/web && git commit -m x", "deny"],
    ["/feature", "git -C ../main push", "deny"],
    ["/feature", "git --git-dir=../main/.git commit -m x", "deny"],
    ["/feature", "GIT_DIR=/main/.git git commit -m x", "deny"],
    ["/feature", "git --git-dir=/bare.git commit -m x", "silent"],
    ["/feature", "git commit -m x", "silent"],
    ["/main", "git -C ../feature commit -m x", "silent"],
    ["/main", "cd ../feature && git push -f", "silent"],
    ["/main", "cd trees/a && git commit -m x", "silent"],
    ["/main", "cd /elsewhere && git commit -m x", "silent"],
    ["/main", "cd $X && git commit -m x", "silent"],
  ])("at %s: %s: %s", (cwd, command, expected) => {
    expect(outcomeAt(cwd, command)).toBe(expected);
  });
});

describe("the branch is that which the text went to before", () => {
  it.each([
    ["/feature", "git checkout main && git commit -m x", "deny"],
    ["/feature", "(git switch main); git commit -m x", "deny"],
    ["/feature", "cd web && git checkout main; cd .. && git commit -m x", "deny"],
    ["/feature", "git branch -M main && git commit -m x", "silent"],
    ["/feature", "git -C ../main checkout main && git commit -m x", "silent"],
    ["/feature", "git checkout - && git commit -m x", "silent"],
    ["/main", "git checkout README.md && git commit -m x", "silent"],
    ["/main", "git checkout -- README.md && git commit -m x", "deny"],
    ["/main", "git checkout -qb fix/1 main && git commit -m x", "silent"],
    ["/main", "git switch --create=fix && git commit -m x", "silent"],
    ["/main", "git branch -m trunk && git commit -m x", "silent"],
    ["/main", "git worktree add trees/w && git -C trees/w commit -m x", "silent"],
    ["/main", "git worktree add trees/w -b fix && git commit -m x", "deny"],
    ["/main", "mkdir n && cd n && git init -q -b dev && git commit -m x", "silent"],
    ["/main", "git clone ../other.git && cd other && git commit -m x", "silent"],
    ["/feature", "git clone -b main u:x/y.git && git -C y commit -m x", "silent"],
  ])("at %s: %s: %s", (cwd, command, expected) => {
    expect(outcomeAt(cwd, command)).toBe(expected);
  });
});
