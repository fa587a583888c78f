import { expect, test } from "vitest";
import { type ClaimCheck, assessFreshness, NOTHING_MEASURED } from "../../src/freshness/verdict.ts";

const GONE: ClaimCheck = { claim: "path:src/a.ts", state: "broken", finding: "src/a.ts is gone" };
const MOVED = {
  claim: "path:src/a.ts",
  became: { claim: "path:src/b.ts", words: "src/a.ts was renamed to src/b.ts", isCertain: true },
};

test.each<[string, ClaimCheck, string]>([
  ["a file of which nothing is left", GONE, "stale: nothing that it names is left: src/a.ts is gone"],
  [
    "another value",
    {
      claim: "path:src/a.ts::MAX=3",
      state: "broken",
      finding: "MAX is 5 in src/a.ts",
      actual: "5",
    },
    "stale: MAX is 5 in src/a.ts",
  ],
  [
    "what should not be there",
    { claim: "absent:branch:dev", state: "broken", finding: "dev is there" },
    "stale: dev is there",
  ],
  [
    "an end that has passed",
    { claim: "until:2020-01-01", state: "broken", finding: "it held until 2020-01-01" },
    "stale: it held until 2020-01-01",
  ],
])("%s", (_, check, words) => {
  const verdict = assessFreshness({}, undefined, { ...NOTHING_MEASURED, checks: [check] }, new Date());
  expect(verdict).toMatchObject({ standing: "stale", isGone: true, words });
});

test("what was renamed is told with its new name, not called gone", () => {
  const measured = { ...NOTHING_MEASURED, checks: [GONE], breaks: new Map([[MOVED.claim, MOVED]]) };
  expect(assessFreshness({}, undefined, measured, new Date())).toMatchObject({
    standing: "check",
    words: "check: src/a.ts was renamed to src/b.ts; what it says of it still holds there",
    isGone: false,
  });
  const both = { ...measured, checks: [GONE, { ...GONE, claim: "path:src/c.ts" }] };
  expect(assessFreshness({}, undefined, both, new Date()).words).not.toContain("nothing that it names");
});
