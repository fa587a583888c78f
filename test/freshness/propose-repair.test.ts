import { expect, test } from "vitest";
import { proposeRepair } from "../../src/freshness/propose-repair.ts";

test("a repair leaves what somebody said as they said it", () => {
  const said = '> "MaxBatchItems must stay 500" (the user, 2026-11-23)';
  const imported = '> "MaxBatchItems is 500" (from CLAUDE.md:3)';
  const { text } = proposeRepair(
    {
      statement: "MaxBatchItems must stay 500",
      body: `MaxBatchItems is the carrier's limit.\n\n${said}\n\n${imported}\n\n**Why:** MaxBatchItems bit us.`,
      claims: ["path:a.go::MaxBatchItems"],
    },
    [
      {
        claim: "path:a.go::MaxBatchItems",
        became: { claim: "path:a.go::MaxItems", words: "was renamed" },
      } as never,
    ],
  );
  expect(text.statement).toBe("MaxItems must stay 500");
  expect(text.body).toBe(
    `MaxItems is the carrier's limit.\n\n${said}\n\n${imported}\n\n**Why:** MaxItems bit us.`,
  );
});
