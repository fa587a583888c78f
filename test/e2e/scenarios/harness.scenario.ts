import { describe, expect } from "vitest";
import { lastUserText } from "../api/messages-body.ts";
import { networkIsolation } from "../client/network-isolation.ts";
import { contextOf, contextSince, occurrences, requestFor } from "../expectations.ts";
import { probePlugin } from "../probe-plugin.ts";
import { test, testWith } from "../scenario.ts";

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
