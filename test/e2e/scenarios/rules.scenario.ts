import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { PLUGIN } from "../client/sandbox.ts";
import { occurrences, readByModel, requestFor } from "../expectations.ts";
import { manyRules, placeInUserStore, rule } from "../memory-files.ts";
import { test, testWith } from "../scenario.ts";

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
});
