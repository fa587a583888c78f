import { join } from "node:path";
import { describe, expect, it } from "vitest";

interface Use {
  word: string;
  text: string;
}
const { usesIn } = (await import(join(import.meta.dirname, "../scripts/words.mjs"))) as {
  usesIn: (file: string, text: string) => Use[];
};
const found = (file: string, text: string): string[] => usesIn(file, text).map((use) => use.text);

describe("the check of replaced words", () => {
  it.each([
    ["src/a.ts", "const a = 1;\nconst toldBodies = 2;", 'src/a.ts:2  use "injected" for "told": toldBodies'],
    ["src/told-unit.ts", "", 'src/told-unit.ts:1  use "injected" for "told": told-unit'],
    ["src/a.ts", "const LAST_TOLD = `${1}`;", 'src/a.ts:1  use "injected" for "told": LAST_TOLD'],
    ["src/a.ts", "say(`${cards.length} notes`);", 'src/a.ts:1  use "metadata" for "card": cards'],
    ["src/a.ts", "/**\n * Merges twins.\n */", 'src/a.ts:2  use "duplicate" for "twin": * Merges twins.'],
    ["src/a.ts", 'say("merges a twin");', 'src/a.ts:1  use "duplicate" for "twin": "merges a twin"'],
    ["src/a.ts", 'say("it stands there");', 'src/a.ts:1  use "is" for "stands": "it stands there"'],
    [
      "docs/a.md",
      "Kept. Of the rest a line stays.",
      'docs/a.md:1  use "the subject first" for "a sentence that opens with Of": Kept. Of the rest a line stays.',
    ],
    [
      "src/methods/a.ts",
      "/** So many at most. */",
      'src/methods/a.ts:1  use "a number, or: this many" for "so many": /** So many at most. */',
    ],
    ["docs/a.md", "A\n\nIt merges twins.", 'docs/a.md:3  use "duplicate" for "twin": It merges twins.'],
  ])("finds in %s: %s", (file, text, line) => {
    expect(found(file, text)).toEqual([line]);
  });

  it.each([
    ["src/a.ts", "const frontMatter = bench.false_told_rate;"],
    ["src/a.ts", 'const key = "told";'],
    ["src/a.ts", "// The user is told what happened."],
    ["src/a.ts", "// It stands there."],
    ["docs/decisions/0001-a.md", "So many stand there."],
    ["docs/a.md", "```\nmerges twins\n```\nand `twin`"],
  ])("leaves alone in %s: %s", (file, text) => {
    expect(found(file, text)).toEqual([]);
  });
});
