import { describe, expect } from "vitest";
import { readByModel, requestFor } from "../expectations.ts";
import { manyRules, placeInUserStore } from "../memory-files.ts";
import { ASKS_STAGING, FLAKY, QUEUE, STAGING } from "../sample-facts.ts";
import { PARTS } from "../product-parts.ts";
import { testWith } from "../scenario.ts";

describe.skipIf(!PARTS.registers)("with the hooks that `heed init --client claude-code` writes", () => {
  const rules = manyRules(5);

  for (const client of ["older", "current"] as const) {
    testWith(client)(`${client}: rules and facts come as with the plugin`, async ({ sandbox, session }) => {
      placeInUserStore(sandbox, ...rules, STAGING, QUEUE, FLAKY);
      await sandbox.heed("init", "--client", "claude-code");
      const record = await session({ plugins: [], prompts: ["hello", ASKS_STAGING] });
      const start = readByModel(requestFor("hello", record));
      for (const { description } of rules) expect(start).toContain(description);
      expect(start).not.toContain("FACT-STAGING");
      expect(readByModel(requestFor(ASKS_STAGING, record))).toContain("FACT-STAGING");
    });
  }
});

testWith("older")(
  "the plugin itself leaves an older client unharmed, and its tools work",
  async ({ sandbox, session }) => {
    placeInUserStore(sandbox, ...manyRules(5));
    const record = await session({ prompts: ["one", "two"] });
    expect(record.main).toHaveLength(2);
    expect(record.hooks.filter((hook) => hook.outcome !== "success")).toEqual([]);
    expect(record.init.mcpServers).toContainEqual({ name: "plugin:heed:heed", status: "connected" });
  },
);
