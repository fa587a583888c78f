import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { describeGuard, parseGuards } from "../../src/guard/parse-guards.ts";

describe("reads guards", () => {
  it.each(
    parse(String.raw`
    - [{tool: Bash, command: git commit, flags: [--no-verify, -n], action: deny, say: use git-safe-commit}, deny git commit with --no-verify or -n]
    - [{command: git push, flags: -f}, deny git push with -f]
    - [{command: [npm i, npm install], action: warn}, warn npm i or npm install]
    - [{paths: [migrations/**]}, deny edits and commands on migrations/**]
    - [{content: [eval(, {regex: ": any\\b"}]}, 'deny edits writing "eval(" or /: any\b/']
    - [{tool: mcp__db__*, pattern: DROP TABLE, action: ask}, ask mcp__db__* matching /DROP TABLE/]
    - [{command: npm publish, unless: {flags: [--dry-run]}}, "deny npm publish, unless with --dry-run"]
    - [{command: rm, flags: [-rf], unless: [{paths: [dist/**]}, {env: [CI]}]}, "deny rm with -rf, unless on dist/**, or with $CI"]
    - [{command: git commit, env: [HUSKY=0]}, deny git commit with HUSKY=0]
    - [{command: chmod, args: [777]}, deny chmod given 777]
    - [{command: npm i, commands: [npm ci, docker-compose up]}, deny npm i or npm ci or docker compose up]
    - [{tool: edit_file, paths: [a/**]}, deny Edit on a/**]
  `) as [unknown, string][],
  )("%j", (raw, summary) => {
    const { guards, problems } = parseGuards(raw);
    expect(problems).toEqual([]);
    expect(guards.map(({ guard }) => describeGuard(guard))).toEqual([summary]);
  });

  it("reads several, and leaves the broken one out alone", () => {
    const { guards, problems } = parseGuards([
      { command: "a" },
      { command: "b", flag: ["nope"] },
      { command: "c" },
    ]);
    expect(guards.map(({ index }) => index)).toEqual([0, 2]);
    expect(problems).toEqual([
      {
        code: "bad-flag",
        message: 'guard 2: "nope" is no flag',
        remedy: expect.stringContaining("--name") as string,
      },
    ]);
  });
});

describe("refuses what it does not understand", () => {
  it.each([
    ["text", "bad-guard"],
    [7, "bad-guard"],
    [{}, "guard-without-condition"],
    [{ action: "deny" }, "guard-without-condition"],
    [{ command: "git commit --no-verify" }, "flag-in-command"],
    [{ command: "x", comand: "y" }, "unknown-guard-key"],
    [{ command: "x", command_: 1 }, "unknown-guard-key"],
    [{ command: "x", action: "block" }, "bad-action"],
    [{ command: "x", flags: ["force"] }, "bad-flag"],
    [{ command: "x", flags: [] }, "bad-guard-list"],
    [{ command: "" }, "bad-guard-value"],
    [{ command: { name: "git" } }, "bad-guard-value"],
    [{ command: "x".repeat(501) }, "bad-guard-value"],
    [{ args: Array.from({ length: 31 }, (_, i) => `a${i}`) }, "bad-guard-list"],
    [{ destroys: "data/**", paths: ["data/**"] }, "two-effects"],
    [{ destroys: "data/**", writes: "data/**" }, "two-effects"],
    [{ destroys: "$OTHER/x" }, "bad-glob"],
    [{ publishes: "npm" }, "bad-publishes"],
    [{ when: "later", needs: "npm test" }, "bad-when"],
    [{ when: "turn-end" }, "half-a-duty"],
    [{ before: "git commit" }, "half-a-duty"],
    [{ command: "git commit", needs: "npm test" }, "half-a-duty"],
    [{ command: "git commit", after: "src/**" }, "half-a-duty"],
    [{ when: "turn-end", before: "git commit", needs: "npm test" }, "half-a-duty"],
    [{ when: "turn-end", command: "git commit", needs: "npm test" }, "half-a-duty"],
    [{ before: "git commit -n", needs: "npm test" }, "flag-in-command"],
    [{ paths: ["**/**/**/**/a"] }, "bad-glob"],
    [{ paths: ["*a*b*c*d"] }, "bad-glob"],
    [{ pattern: "(a" }, "bad-pattern"],
    [{ pattern: "(?=a)" }, "bad-pattern"],
    [{ pattern: "(a)\\1" }, "bad-pattern"],
    [{ pattern: "((a{10}){10}){10}" }, "bad-pattern"],
    [{ pattern: "a".repeat(301) }, "bad-pattern"],
    [{ content: [{ regex: "(" }] }, "bad-pattern"],
    [{ content: [{ match: "a" }] }, "bad-content"],
    [{ command: "x", env: ["A B=1"] }, "bad-env"],
    [{ command: "x", say: { a: 1 } }, "bad-guard-value"],
    [{ command: "x", action: ["deny", "warn"] }, "bad-guard-value"],
    [{ command: "x", unless: "--dry-run" }, "bad-guard-value"],
    [{ command: "x", unless: {} }, "empty-exception"],
    [{ command: "x", unless: { flgs: ["-n"] } }, "unknown-guard-key"],
    [Array.from({ length: 11 }, () => ({ command: "x" })), "too-many-guards"],
  ])("%j: %s", (raw, code) => {
    const { guards, problems } = parseGuards(raw);
    expect(problems.map((problem) => problem.code)).toContain(code);
    expect(problems.every(({ remedy }) => remedy !== "")).toBe(true);
    expect(guards).toHaveLength(code === "too-many-guards" ? 10 : 0);
  });

  it.each([
    [{ command: "x", instead: "use y" }, "say"],
    [{ command: "x", Instead: "use y" }, "say"],
    [{ command: "x", comand: "y" }, "command"],
    [{ command: "x", unless: { flgs: ["-n"] } }, "flags"],
  ])("%j: names the key %s, by the label that a refusal shows it under too", (raw, key) => {
    expect(parseGuards(raw).problems[0]?.remedy).toMatch(new RegExp(`^did you mean ${key}\\? The keys are `));
  });

  it("takes no guard for none", () => {
    expect(parseGuards(undefined)).toEqual({ guards: [], problems: [] });
    expect(parseGuards(null)).toEqual({ guards: [], problems: [] });
  });
});
