import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import type { RuleRecords } from "../../../src/heed.ts";
import { codeIn, runs } from "../consent-steps.ts";
import { PLUGIN } from "../client/sandbox.ts";
import { contextOf, occurrences, readByModel, requestFor } from "../expectations.ts";
import { manyRules, placeInUserStore, rule } from "../memory-files.ts";
import { test, testWith } from "../scenario.ts";

/** The most that the client takes of one hook's output, in characters. */
const CLIENT_CAP = 10_000;

const SUBAGENT = {
  name: "Agent",
  input: { description: "probe", prompt: "SUBAGENT PROMPT", subagent_type: "general-purpose" },
};

describe("every rule's statement is in every fresh context", () => {
  const rules = manyRules(12);
  const expectRules = (text: string): void => {
    for (const { statement } of rules) expect(occurrences(statement, text)).toBe(1);
  };

  test("at the start, once, and not again on later prompts", async ({ sandbox, session }) => {
    placeInUserStore(sandbox, ...rules);
    const record = await session({ prompts: ["first prompt", "second prompt"] });
    expect(record.hooks.filter(({ outcome, stderr }) => outcome !== "success" || stderr !== "")).toEqual([]);
    for (const prompt of ["first prompt", "second prompt"])
      expectRules(readByModel(requestFor(prompt, record)));
  });

  test.for([
    ["clear", "/clear", []],
    // By hand, with a prompt further on.
    ["a compaction", "/compact", ["compact"]],
  ] as const)(
    "after %s, and on the prompts after it once",
    async ([, command, kinds], { sandbox, session }) => {
      placeInUserStore(sandbox, ...rules);
      const record = await session({ prompts: ["before", command, "after", "and again"] });
      expect(record.requests.map(({ kind }) => kind)).toEqual(expect.arrayContaining([...kinds]));
      for (const prompt of ["after", "and again"]) expectRules(readByModel(requestFor(prompt, record)));
    },
  );

  for (const client of ["older", "current"] as const) {
    testWith(client)(
      `once after a compaction with which the ${client} client ended`,
      async ({ sandbox, session }) => {
        placeInUserStore(sandbox, ...rules);
        await sandbox.heed("init", "--client", "claude-code");
        const prompts = ["before", "/compact", "after", "and again"];
        const record = await session({ plugins: [], mode: "resume", prompts });
        for (const prompt of ["before", "after", "and again"])
          expectRules(readByModel(requestFor(prompt, record)));
      },
    );
  }

  test("after a compaction of a full context", async ({ sandbox, session }) => {
    placeInUserStore(sandbox, ...rules);
    const record = await session({
      prompts: ["before", "after"],
      turns: [{ text: "A", inputTokens: 990_000 }],
    });
    expect(record.requests.map((request) => request.kind)).toEqual(["main", "compact", "main"]);
    expectRules(readByModel(requestFor("after", record)));
  });

  test("in a subagent", async ({ sandbox, session }) => {
    placeInUserStore(sandbox, ...rules);
    const record = await session({ prompts: ["delegate"], turns: [{ toolUse: [SUBAGENT] }] });
    const subagent = record.requests.find((request) => request.kind === "subagent");
    expectRules(subagent === undefined ? "" : readByModel(subagent));
  });

  test("a resumed session holds them once", async ({ sandbox, session }) => {
    placeInUserStore(sandbox, ...rules);
    const record = await session({ mode: "resume", prompts: ["one", "two", "three"] });
    expect(record.hooks.filter((hook) => hook.name === "SessionStart:resume")).toHaveLength(2);
    expectRules(readByModel(requestFor("three", record)));
  });

  test("a resumed session holds them once even if a rule came in between", async ({ sandbox, session }) => {
    placeInUserStore(sandbox, ...rules);
    const added = rule("added-later", "Added between two prompts of one session");
    const record = await session({
      mode: "resume",
      prompts: ["one", { text: "two", before: () => void placeInUserStore(sandbox, added) }],
    });
    expectRules(readByModel(requestFor("two", record)));
  });
});

/** Has a process never get to write its answer. */
const STALL = `const fs = require("node:fs");
const write = fs.writeSync;
fs.writeSync = (fd, ...rest) =>
  fd === 1 ? Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0) : write(fd, ...rest);
`;

test("where the client gave up on every start, they come with the next prompt, once", async ({
  sandbox,
  session,
}) => {
  const rules = manyRules(12);
  placeInUserStore(sandbox, ...rules);
  const plugin = join(sandbox.root, "stalled-plugin");
  cpSync(PLUGIN, plugin, { recursive: true });
  const file = join(plugin, "hooks", "hooks.json");
  const { hooks } = JSON.parse(readFileSync(file, "utf8")) as { hooks: Record<string, object[]> };
  const stall = sandbox.write(join(plugin, "stall.cjs"), STALL);
  const args = ["--require", stall, join(plugin, "dist", "heed.cjs"), "hook"];
  hooks["SessionStart"] = [{ hooks: [{ type: "command", command: "node", args, timeout: 2 }] }];
  sandbox.write(file, JSON.stringify({ hooks }));
  const prompts = ["one", "two", "/compact", "three", "/clear", "four", "five"];
  const record = await session({ plugins: [plugin], prompts });
  const starts = record.hooks.filter(({ name }) => name.startsWith("SessionStart"));
  expect(starts.map(({ name, context }) => [name, context])).toEqual(
    ["startup", "compact", "clear"].map((source) => [`SessionStart:${source}`, ""]),
  );
  for (const prompt of ["one", "two", "three", "four", "five"]) {
    const text = readByModel(requestFor(prompt, record));
    for (const { statement } of rules) expect(occurrences(statement, text), prompt).toBe(1);
  }
});

test("sixty long rules: each named, and no hook's output over the client's cap", async ({
  sandbox,
  session,
}) => {
  const rules = manyRules(60, 900);
  placeInUserStore(sandbox, ...rules);
  const record = await session({ prompts: ["hello"] });
  const context = contextOf(requestFor("hello", record));
  // Where room is short a handle is its mark.
  for (const { statement } of rules)
    expect(context).toMatch(new RegExp(`${statement.slice(0, 20)}[^\\n]*\\[(?:heed:)?[\\w.-]+\\]`));
  expect(record.hooks.length).toBeGreaterThan(0);
  for (const hook of record.hooks) expect(hook.context.length, hook.name).toBeLessThanOrEqual(CLIENT_CAP);
  expect(context).not.toContain("persisted-output");
});

test("the reasons of a rule follow its statement; a superseded rule is never shown", async ({
  sandbox,
  session,
}) => {
  placeInUserStore(
    sandbox,
    rule("in-force", "Tabs are four columns wide"),
    rule("replaced", "Tabs are eight columns wide", ["status: superseded"]),
  );
  const record = await session({ prompts: ["hello"] });
  const text = readByModel(requestFor("hello", record));
  for (const part of ["Tabs are four columns wide", "it went wrong once", "every time, without exception"])
    expect(text).toContain(part);
  expect(text).not.toContain("Tabs are eight columns wide");
});

test("mode off: nothing is said", async ({ sandbox, session }) => {
  placeInUserStore(sandbox, rule("own-rule", "Own rules are in force"));
  sandbox.write(`${sandbox.userStore}/config.yaml`, "mode: off\n");
  const record = await session({ prompts: ["hello"] });
  expect(readByModel(requestFor("hello", record))).not.toContain("Own rules are in force");
});

test("the record of a rule after three sessions is what they did", async ({ sandbox, session }) => {
  placeInUserStore(
    sandbox,
    rule("no-forced-tags", "Never move a tag", ["guard: { command: git tag, flags: [--force] }"]),
    rule("be-short", "Answer in one sentence"),
  );
  // The index is there: on a busy machine the first start has no time to make it.
  await sandbox.heed("list");
  const allowedTools = ["Bash"];
  // The guard stops a call; the model then keeps to the rule, and names the other one.
  const first = await session({
    allowedTools,
    prompts: ["hello", "tag it"],
    turns: [{ text: "hi" }, runs("git tag -f v1"), runs("git tag v1"), { text: "Tagged. [heed:be-short]" }],
  });
  // The user lets the stopped call pass.
  let code = "";
  const second = await session({
    terminal: true,
    allowedTools,
    prompts: ["move the tag", { text: () => `heed allow ${code}` }, "again, please"],
    turns: [
      runs("git tag -f v1"),
      (request) => {
        code = codeIn(readByModel(request), "allow");
        return { text: "Refused." };
      },
      { text: "Allowed." },
      runs("git tag -f v1"),
      { text: "Moved." },
    ],
  });
  // A client without heed breaks it.
  await session({
    plugins: [],
    allowedTools,
    prompts: ["move the tag"],
    turns: [runs("git tag --force v1")],
  });
  // On a machine that is too busy for the hook at the start, the rules come to no context.
  const injectedIn = [first, second].filter(({ requests }) =>
    requests.some((request) => readByModel(request).includes("Answer in one sentence")),
  ).length;
  const { stdout } = await sandbox.heed("list", "--rules", "--json");
  const { rules } = JSON.parse(stdout) as RuleRecords;
  const became = rules.map(({ name, stopped, excepted, cited, injected }) => [
    name,
    ...[stopped, excepted].map(({ evidence }) => evidence.map(({ text }) => text)),
    cited.times,
    injected.sessions,
  ]);
  const moved = "git tag -f v1";
  expect(became).toEqual([
    ["no-forced-tags", expect.arrayContaining([moved]), [moved], 0, injectedIn],
    ["be-short", [], [], 1, injectedIn],
  ]);
  const table = await sandbox.heed("guard", "test", "no-forced-tags");
  expect(table.stdout).toContain(
    "Of 5 commands in 30 days it would have stopped 4; 2 of them had succeeded.",
  );
});

const use = (
  name: string,
  input: Record<string, unknown>,
): { name: string; input: Record<string, unknown> } => ({
  name,
  input: { ...(name === "Bash" && { description: "a step" }), ...input },
});

describe("rules about when", () => {
  const PACKAGE = '{ "name": "x", "version": "1.0.0", "scripts": { "test": "test -f fixed" } }\n';
  const tools = { allowedTools: ["Bash", "Write"] };

  test("a turn without tests is sent back once, then passes", async ({ sandbox, session }) => {
    placeInUserStore(
      sandbox,
      rule("tests-at-end", "Run the tests before you are done", [
        'guard: { when: turn-end, after: "src/**", needs: npm test, say: run npm test }',
      ]),
    );
    sandbox.write("package.json", PACKAGE);
    const file = `${sandbox.project}/src/a.ts`;
    const record = await session({
      ...tools,
      prompts: ["change it", "and again"],
      turns: [
        { toolUse: [use("Write", { file_path: file, content: "export const a = 1;\n" })] },
        { text: "done, I think" },
        { toolUse: [use("Bash", { command: "touch fixed && npm test" })] },
        { text: "now it is" },
        { toolUse: [use("Bash", { command: `echo 'export const b = 2;' > ${file}` })] },
        { text: "done without tests" },
        { text: "still without tests" },
      ],
    });
    const [, , sentBack, , , , again, after] = record.main.map(readByModel);
    for (const part of [
      "This turn is not over",
      "src/a.ts was changed, and npm test has not passed",
      "run npm test",
    ])
      expect(sentBack).toContain(part);
    expect(occurrences("Stop hook feedback:", again ?? "")).toBe(2);
    // Once a turn: the second end of the same turn passes.
    expect(after).toBeUndefined();
    expect(record.main).toHaveLength(7);
  });

  test("a commit before the tests is stopped, and passes after them", async ({ sandbox, session }) => {
    placeInUserStore(
      sandbox,
      rule("tests-first", "Commit after the tests passed", [
        'guard: { before: git commit, needs: npm test, after: "src/**" }',
      ]),
    );
    sandbox.write("package.json", PACKAGE);
    const commit = (name: string): ReturnType<typeof use> =>
      use("Bash", {
        command: `git add -A && git -c user.name=x -c user.email=x@x commit -q -m ${name} && git log --format=%s`,
      });
    const record = await session({
      ...tools,
      prompts: ["change it and commit"],
      turns: [
        {
          toolUse: [
            use("Write", { file_path: `${sandbox.project}/src/a.ts`, content: "export const a = 1;\n" }),
          ],
        },
        { toolUse: [commit("early")] },
        { toolUse: [use("Bash", { command: "npm test" })] },
        { toolUse: [commit("failed")] },
        { toolUse: [use("Bash", { command: "touch fixed && npm test" })] },
        { toolUse: [commit("late")] },
        { text: "done" },
      ],
    });
    const last = readByModel(record.main.at(-1)!);
    expect(
      occurrences("It is too early: src/a.ts was changed, and npm test has not passed since then", last),
    ).toBe(2);
    expect(last).toContain("late");
    expect(last).not.toMatch(/^(?:early|failed)$/m);
  });
});
