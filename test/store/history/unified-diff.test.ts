import { describe, expect, test } from "vitest";
import { shownDiff, unifiedDiff } from "../../../src/store/history/unified-diff.ts";

const OLD = "1\n2\n3\n4\nold\n6\n";
const NEW = "1\n2\n3\n4\nnew\n6\n";

describe("the diff of a memory", () => {
  test("as a patch: with the names of git and three lines of context", () => {
    expect(unifiedDiff(OLD, NEW, { before: "x.md", after: "y.md" })).toBe(
      "--- a/x.md\n+++ b/y.md\n@@ -2,5 +2,5 @@\n 2\n 3\n 4\n-old\n+new\n 6\n",
    );
    expect(unifiedDiff(null, "a\n", { before: "x.md", after: "x.md" })).toBe(
      "--- /dev/null\n+++ b/x.md\n@@ -0,0 +1,1 @@\n+a\n",
    );
    expect(unifiedDiff(OLD, OLD, { before: "x.md", after: "x.md" })).toBe("");
  });

  test("of texts that take too long to compare replaces the whole", () => {
    const lines = (seed: number): string =>
      Array.from({ length: 30_000 }, (_, i) => `${(i * seed) % 104_729}`).join("\n");
    const diff = shownDiff("x", lines(7), lines(11));
    expect(diff.startsWith("--- x\tbefore\n+++ x\tafter\n-0\n-7\n")).toBe(true);
  });
});
