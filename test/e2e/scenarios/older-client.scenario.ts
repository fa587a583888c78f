import { describe, expect } from "vitest";
import { readByModel, requestFor } from "../expectations.ts";
import { manyRules, placeInUserStore, type HandWritten } from "../memory-files.ts";
import { PARTS } from "../product-parts.ts";
import { testWith } from "../scenario.ts";

const STAGING: HandWritten = {
  type: "reference",
  name: "staging-database",
  description: "the staging database of the billing service runs on db-stage-2.internal, port 6432",
  body: "The staging database of the billing service runs on db-stage-2.internal, port 6432 (FACT-STAGING).",
  metadata: ["tags: [staging, database, billing]", "trigger: [staging database]"],
};
const ASKS = "Which host and port does the staging database of the billing service run on?";

describe.skipIf(!PARTS.cli)("with the hooks that `heed init --client claude-code` writes", () => {
  const rules = manyRules(5);

  for (const client of ["older", "current"] as const) {
    testWith(client)(`${client}: rules and facts come as with the plugin`, async ({ sandbox, session }) => {
      placeInUserStore(sandbox, ...rules, STAGING);
      await sandbox.heed("init", "--client", "claude-code");
      const record = await session({ plugins: [], prompts: ["hello", ASKS] });
      const start = readByModel(requestFor("hello", record));
      for (const { description } of rules) expect(start).toContain(description);
      expect(start).not.toContain("FACT-STAGING");
      expect(readByModel(requestFor(ASKS, record))).toContain("FACT-STAGING");
    });
  }
});
