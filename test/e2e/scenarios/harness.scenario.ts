import { describe, expect } from "vitest";
import { lastUserText } from "../api/messages-body.ts";
import { networkIsolation } from "../client/network-isolation.ts";
import { contextOf, contextSince, occurrences, requestFor } from "../expectations.ts";
import { probePlugin } from "../probe-plugin.ts";
import { test, testWith } from "../scenario.ts";

const AGENT = {
  name: "Agent",
  input: { description: "probe", prompt: "SUBAGENT PROMPT", subagent_type: "general-purpose" },
};

// What the other scenarios rely on, shown with a plugin of known words: a change of the client shows here first.
describe.each(["current", "older"] as const)("the %s client", (client) => {
  const test = testWith(client);

  test("adds the words of hooks to the request that they belong to", async ({ sandbox, session }) => {
    const plugins = [probePlugin(sandbox, ["SessionStart", "UserPromptSubmit"])];
    const record = await session({
      plugins,
      prompts: ["first prompt", "second prompt"],
      turns: [{ text: "A1" }],
    });
    expect(record.main).toHaveLength(2);
    const first = contextOf(requestFor("first prompt", record));
    expect(occurrences("WORDS OF SessionStart", first)).toBe(1);
    expect(occurrences("WORDS OF UserPromptSubmit", first)).toBe(1);
    const second = requestFor("second prompt", record);
    expect(contextSince("second prompt", second)).not.toContain("WORDS OF SessionStart");
    expect(contextSince("second prompt", second)).toContain("WORDS OF UserPromptSubmit");
    expect(record.hooks.map(({ name, context }) => [name, context])).toEqual([
      ["SessionStart:startup", "WORDS OF SessionStart"],
      ["UserPromptSubmit", "WORDS OF UserPromptSubmit"],
      ["UserPromptSubmit", "WORDS OF UserPromptSubmit"],
    ]);
  });

  test("starts a session again after resume and compaction, each by its name", async ({
    sandbox,
    session,
  }) => {
    const plugins = [probePlugin(sandbox, ["SessionStart"])];
    const record = await session({ plugins, mode: "resume", prompts: ["one", "/compact", "two"] });
    const names = record.hooks.map((hook) => hook.name);
    expect(names).toContain("SessionStart:resume");
    expect(names).toContain("SessionStart:compact");
    expect(record.requests.map((request) => request.kind)).toEqual(["main", "compact", "main"]);
  });

  test("sends requests of subagents that are told from the main ones", async ({ sandbox, session }) => {
    const plugins = [probePlugin(sandbox, ["SubagentStart"])];
    const record = await session({ plugins, prompts: ["start"], turns: [{ toolUse: [AGENT] }] });
    const subagent = record.requests.filter((request) => request.kind === "subagent");
    expect(subagent.map(contextOf).join()).toContain("WORDS OF SubagentStart");
    expect(record.main.map(contextOf).join()).not.toContain("WORDS OF SubagentStart");
  });
});

// The older client knows no /clear without a terminal.
test("clear starts a session again", async ({ sandbox, session }) => {
  const plugins = [probePlugin(sandbox, ["SessionStart"])];
  const record = await session({ plugins, prompts: ["one", "/clear", "two"] });
  expect(record.hooks.map((hook) => hook.name)).toEqual(["SessionStart:startup", "SessionStart:clear"]);
  expect(requestFor("two", record).body.messages.map((message) => message.role)).not.toContain("assistant");
});

test("a finished background agent comes as a prompt", async ({ sandbox, session }) => {
  const plugins = [probePlugin(sandbox, ["UserPromptSubmit"])];
  const record = await session({ plugins, prompts: ["start"], turns: [{ toolUse: [AGENT] }] });
  const notified = requestFor("<task-notification>", record);
  expect(contextSince("<task-notification>", notified)).toContain("WORDS OF UserPromptSubmit");
});

test("a context reported as full is compacted", async ({ sandbox, session }) => {
  const plugins = [probePlugin(sandbox, ["SessionStart"])];
  const turns = [{ text: "A1", inputTokens: 990_000 }];
  const record = await session({ plugins, prompts: ["one", "two"], turns });
  expect(record.requests.map((request) => request.kind)).toEqual(["main", "compact", "main"]);
  expect(contextOf(requestFor("two", record))).toContain("WORDS OF SessionStart");
});

test.skipIf(networkIsolation().length === 0)("the client has no way to the network", async ({ session }) => {
  const command = "cut -d: -f1 /proc/net/dev; echo routes: $(wc -l < /proc/net/route)";
  const turns = [{ toolUse: [{ name: "Bash", input: { command, description: "devices" } }] }];
  const record = await session({ plugins: [], prompts: ["look"], allowedTools: ["Bash"], turns });
  const output = lastUserText(record.main[1]!.body);
  expect(output).toContain("lo\n");
  // The header of the table is its only line.
  expect(output).toContain("routes: 1");
});
