import { expect, test } from "vitest";
import { isNamedIn } from "../../src/search/relevance-signals.ts";

const METADATA = {
  name: "page-size-cap",
  statement: "Pages hold at most a hundred entries",
  claims: ["must:path:src/pagination.ts::MAX_LIMIT=100", "path:lib/router.ts::matchRoute", "dep:react@^18"],
};

test.each([
  ["what's MAX_LIMIT?", true],
  ["open src/pagination.ts", true],
  ["what does pagination.ts cap?", true],
  ["who calls matchRoute()?", true],
  ["is [heed:page-size-cap] right?", true],
  ["is page-size-cap right?", true],
  ["raise MAX_LIMITS", false],
  ["open mysrc/pagination.tsx", false],
  ["add pagination with react, 100 a page", false],
  ["", false],
])("%j: %s", (prompt, isNamed) => {
  expect(isNamedIn(prompt, METADATA)).toBe(isNamed);
});
