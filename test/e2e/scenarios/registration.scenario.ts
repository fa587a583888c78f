import { describe, expect } from "vitest";
import { installPlugin } from "../client/install-plugin.ts";
import { besideMap, contextSince, occurrences, readByModel, requestFor } from "../expectations.ts";
import { manyRules, placeInUserStore } from "../memory-files.ts";
import { ASKS_STAGING, FLAKY, QUEUE, STAGING } from "../sample-facts.ts";
import { test, testWith } from "../scenario.ts";

describe("with what `heed init --client claude-code` writes", () => {
  const rules = manyRules(5);

  for (const client of ["older", "current"] as const) {
    testWith(client)(`the ${client} client is told rules and facts`, async ({ sandbox, session }) => {
      placeInUserStore(sandbox, ...rules, STAGING, QUEUE, FLAKY);
      await sandbox.heed("init", "--client", "claude-code");
      const record = await session({
        plugins: [],
        prompts: ["hello", ASKS_STAGING, `Again: ${ASKS_STAGING}`],
      });
      const start = readByModel(requestFor("hello", record));
      for (const { statement } of rules) expect(occurrences(statement, start)).toBe(1);
      expect(start).not.toContain("FACT-STAGING");
      expect(contextSince(ASKS_STAGING, requestFor(ASKS_STAGING, record))).toContain("heed:staging-db");
      const end = readByModel(record.main.at(-1)!);
      expect(occurrences("FACT-STAGING", end)).toBeLessThanOrEqual(1);
      expect(record.hooks.filter((hook) => hook.outcome !== "success" || hook.stderr !== "")).toEqual([]);
      expect(record.init.mcpServers).toContainEqual(
        expect.objectContaining({ name: "heed", status: "connected" }),
      );
    });
  }

  test("beside the plugin, installed later, nothing is told twice", async ({ client, sandbox, session }) => {
    await sandbox.heed("init", "--client", "claude-code");
    await installPlugin(sandbox, client);
    placeInUserStore(sandbox, ...rules, STAGING, QUEUE, FLAKY);
    // What is laid there past heed, once it has looked, waits for the person.
    await sandbox.heed("inbox", "trust", "--yes");
    const record = await session({ plugins: [], prompts: ["hello", ASKS_STAGING] });
    const text = readByModel(requestFor(ASKS_STAGING, record));
    for (const { statement } of rules) expect(occurrences(statement, text)).toBe(1);
    expect(occurrences("FACT-STAGING", text)).toBeLessThanOrEqual(1);
    expect(occurrences("<heed-map>", text)).toBe(1);
    expect(occurrences("[heed:staging-db]", besideMap(text))).toBe(1);
  });
});

testWith("older")(
  "the plugin itself leaves an older client unharmed, and its tools work",
  async ({ sandbox, session }) => {
    placeInUserStore(sandbox, ...manyRules(5));
    const record = await session({ prompts: ["one", "two"] });
    expect(record.main).toHaveLength(2);
    expect(record.hooks.filter((hook) => hook.outcome !== "success")).toEqual([]);
    expect(record.init.mcpServers).toContainEqual(
      expect.objectContaining({ name: "plugin:heed:heed", status: "connected" }),
    );
  },
);
