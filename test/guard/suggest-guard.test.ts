import { describe, expect, it } from "vitest";
import { parseGuards } from "../../src/guard/parse-guards.ts";
import { suggestGuard } from "../../src/guard/suggest-guard.ts";

describe("suggests the guard that a rule states", () => {
  it.each([
    [
      "never use --no-verify when a pre-commit hook fails",
      {
        command: ["git commit", "git push", "git merge"],
        flags: ["--no-verify", "-c core.hooksPath=*"],
        action: "deny",
      },
    ],
    ["don't run git push --force", { command: "git push", flags: ["--force"], action: "deny" }],
    ["Don’t run `git push -f` to shared branches", { command: "git push", flags: ["-f"], action: "deny" }],
    ["never force push with --force", { command: "git push", flags: ["--force"], action: "deny" }],
    ["never edit files in migrations/", { paths: ["migrations/**"], action: "deny" }],
    ["do not change package-lock.json by hand", { paths: ["package-lock.json"], action: "deny" }],
    ["use pnpm not npm", { command: "npm", say: "use pnpm", action: "deny" }],
    ["use `pnpm` instead of `npm` here", { command: "npm", say: "use pnpm", action: "deny" }],
    ["never run terraform apply without asking", { command: "terraform apply", action: "ask" }],
    [
      "avoid git commit --amend on shared branches",
      { command: "git commit", flags: ["--amend"], action: "warn" },
    ],
    ["never run rm -rf", { command: "rm", flags: ["-rf"], action: "deny" }],
    [
      "never run npm publish, except with --dry-run",
      { command: "npm publish", unless: { flags: ["--dry-run"] }, action: "deny" },
    ],
    ["never run `git reset --hard`", { command: "git reset", flags: ["--hard"], action: "deny" }],
    ["never commit .env files", { command: ["git add", "git commit"], paths: [".env"], action: "deny" }],
  ])("%s", (description, expected) => {
    const guard = suggestGuard({ description, body: description });
    expect(guard).toEqual(expected);
    expect(parseGuards(guard).problems).toEqual([]);
  });

  it("takes what to do instead from How to apply", () => {
    const body = "Never use --no-verify.\n**Why:** it broke.\n**How to apply:** fix the root cause.";
    expect(suggestGuard({ description: "never use --no-verify", body })).toMatchObject({
      say: "fix the root cause.",
    });
  });

  it.each([
    "answer in German",
    "write short commit messages",
    "never use git when tired",
    "run the tests before each commit",
    "prefer composition over inheritance",
    "do not explain what you did",
    "keep functions short, no comments",
    "don't mock the database in tests",
    "always use --frozen-lockfile",
    "never be sarcastic and/or rude",
  ])("says nothing to: %s", (description) => {
    expect(suggestGuard({ description, body: description })).toBeUndefined();
  });
});

describe("a suggestion never denies what its rule allows", () => {
  const suggest = (description: string): Record<string, unknown> | undefined =>
    suggestGuard({ description, body: "" });

  it.each([
    [
      "never force-push to main",
      { command: "git push", flags: ["--force"], branches: "main", action: "deny" },
    ],
    [
      "no force pushes on master",
      { command: "git push", flags: ["--force"], branches: "master", action: "deny" },
    ],
    ["never use git push --force on main", { command: "git push", flags: ["--force"], branches: "main" }],
    ["don't run git commit on main", { command: "git commit", branches: "main", action: "deny" }],
    [
      "do not edit files under migrations/ that are already applied",
      { paths: ["migrations/**"], files: "existing", action: "ask" },
    ],
    ["never run git push without running the tests", { command: "git push", action: "ask" }],
    ["never run npm publish on Fridays", { command: "npm publish", action: "ask" }],
    ["never run terraform apply before the plan was reviewed", { command: "terraform apply", action: "ask" }],
    [
      "never use git reset --hard when there are changes",
      { command: "git reset", flags: ["--hard"], action: "ask" },
    ],
    ["never use git push --force", { command: "git push", flags: ["--force"], action: "deny" }],
    ["do not edit src/generated/", { paths: ["src/generated/**"], action: "deny" }],
  ])("%s", (text, guard) => {
    expect(suggest(text)).toMatchObject(guard);
  });
});
