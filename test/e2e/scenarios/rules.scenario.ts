import { describe, expect } from "vitest";
import { runs } from "../consent-steps.ts";
import { occurrences, readByModel, requestFor } from "../expectations.ts";
import { manyRules, placeInUserStore, rule } from "../memory-files.ts";
import { test } from "../scenario.ts";

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

  test("once after a compaction with which the client ended", async ({ sandbox, session }) => {
    placeInUserStore(sandbox, ...rules);
    await sandbox.heed("init", "--client", "claude-code");
    const prompts = ["before", "/compact", "after", "and again"];
    const record = await session({ plugins: [], mode: "resume", prompts });
    for (const prompt of ["before", "after", "and again"])
      expectRules(readByModel(requestFor(prompt, record)));
  });

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
        { toolUse: [{ name: "Write", input: { file_path: file, content: "export const a = 1;\n" } }] },
        { text: "done, I think" },
        runs("touch fixed && npm test"),
        { text: "now it is" },
        runs(`echo 'export const b = 2;' > ${file}`),
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
