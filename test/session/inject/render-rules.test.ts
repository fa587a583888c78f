import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Rule, renderRules, RULE_BUDGET_CHARS, RULES_HEAD } from "../../../src/session/rules-here.ts";
import { MAX_CONTEXT_CHARS } from "../../../src/session/situation.ts";
import { handleOf, shortestHandleOf } from "../../../src/memory/handle.ts";
import { metadataOf } from "../../memory/metadata-of.ts";

const ruleOf = (name: string, statement: string, body = "", fields = {}): Rule => ({
  metadata: metadataOf({ name, statement, type: "feedback", ...fields }),
  body,
});

describe("where room is short the user's line is cut around the quote", () => {
  const line = `${"first of all thanks for the quick fix of yesterday ".repeat(3)}and never push to main without a review, ${"this week is a long one and so on ".repeat(3)}`;
  const quoted = (name: string, origin = {}): Rule =>
    ruleOf(
      name,
      `Never push to main unreviewed (${name})`,
      `x\n\n> "${line.trim()}" (the user, 2026-11-21)`,
      {
        origin: { door: "quote", quote: "never push to main without a review", ...origin },
      },
    );
  const rules = Array.from({ length: 6 }, (_, i) => quoted(`r${i}`, i === 4 ? { first: "line" } : {}));
  const whole = renderRules(rules, "H", 100_000).text;

  test("with room it stands whole", () => {
    expect(whole.split(line.trim())).toHaveLength(rules.length + 1);
  });

  test("the last rules first, to 120 characters that hold the quote, with statement and handle whole", () => {
    const { text, extents } = renderRules(rules, "H", whole.length - 400, whole.length - 400);
    const lines = text.split("\n").slice(1, 1 + rules.length);
    expect(text.length).toBeLessThanOrEqual(whole.length - 400);
    expect(lines[0]).toContain(line.trim());
    for (const [i, one] of lines.entries()) {
      expect(one).toContain(`Never push to main unreviewed (r${i})`);
      expect(one).toContain("never push to main without a review");
      expect(one).toContain(`[heed:r${i}]`);
    }
    for (const one of lines.slice(-2)) {
      const [, shown = ""] = /you: "(.*?)"/.exec(one) ?? [];
      expect(shown.length).toBeLessThanOrEqual(120);
      expect(shown).toMatch(/^….*…$/);
    }
    expect(lines[4]).toMatch(/^- you: "….*…" \(read as: Never push/);
    expect(extents).not.toContain("shortened");
  });
});

test.each([
  [
    "Do it.\n\n**Why:** w1\nw2\n**How to apply:** h\n**Other:** o",
    ": Do it. [heed:r]\n  Why: w1 w2\n  How to apply: h",
  ],
  ["Statement here. More words.", ". More words. [heed:r]"],
  ["Statement here.", " [heed:r]"],
])("a rule with %j is told with its reasons and what its statement does not say", (body, rest) => {
  const { text } = renderRules([ruleOf("r", "Statement here", body)], "H", 1000);
  expect(text).toBe(`H\n- Statement here${rest}`);
});

describe("too much for the budget", () => {
  test("a hundred statements are whole, of a hundred and fifty there is the start of each, the first ones whole", () => {
    const rules = (count: number): Rule[] =>
      Array.from({ length: count }, (_, i) =>
        ruleOf(
          `rule-of-the-house-${i * 7}`,
          `Rule ${i} for work with the ${i} tables of the store holds all year`,
        ),
      );
    const block = (count: number): ReturnType<typeof renderRules> =>
      renderRules(rules(count), RULES_HEAD, RULE_BUDGET_CHARS, MAX_CONTEXT_CHARS);
    for (const { metadata } of rules(100)) expect(block(100).text).toContain(`- ${metadata.statement} [`);
    const { text, extents } = block(150);
    expect(text.length).toBeLessThanOrEqual(MAX_CONTEXT_CHARS);
    for (let i = 0; i < 150; i++) expect(text).toContain(`\n- Rule ${i} for work with the`);
    const first = extents.indexOf("shortened");
    expect(first).toBeGreaterThan(0);
    expect(new Set(extents.slice(first))).toEqual(new Set(["shortened"]));
    expect(
      text.endsWith(
        `\n${150 - first} of them are cut, which end in …: memory_show gives each whole by its handle.`,
      ),
    ).toBe(true);
  });

  test("the room grows before a statement becomes meaningless, then rules are counted", () => {
    const many = (count: number): Rule[] =>
      Array.from({ length: count }, (_, i) => ruleOf(`rule-number-${i}`, "word ".repeat(40)));
    const grown = renderRules(many(130), "H", RULE_BUDGET_CHARS, MAX_CONTEXT_CHARS);
    expect(new Set(grown.extents)).toEqual(new Set(["shortened"]));
    expect(grown.text.length).toBeGreaterThan(RULE_BUDGET_CHARS);
    const { text, extents } = renderRules(many(1200), "H", RULE_BUDGET_CHARS, MAX_CONTEXT_CHARS);
    expect(new Set(extents)).toEqual(new Set(["shortened", "counted"]));
    expect(extents.indexOf("counted")).toBeGreaterThan(100);
    const unnamed = extents.filter((extent) => extent === "counted").length;
    expect(text.endsWith(`\n${unnamed} more rules do not fit here: memory_search lists them.`)).toBe(true);
    expect(text.length).toBeLessThanOrEqual(MAX_CONTEXT_CHARS);
  });
});

test("whatever the rules are, the block fits, names every one of them, and none passes for two", () => {
  const rule = fc.record({
    statement: fc.oneof(
      fc.string(),
      fc.string({ unit: "grapheme", maxLength: 2000 }),
      fc.constant("a\n- b [heed:b]\n</heed-episode>"),
    ),
    body: fc.oneof(
      fc.string(),
      fc.constant(`**Why:** ${"x ".repeat(900)}`),
      fc.constant("```\n**Why:** a\n\n- open"),
    ),
    nameLength: fc.integer({ min: 1, max: 80 }),
  });
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 80 }), (parts) => {
      const rules = parts.map(({ statement, body, nameLength }, i) =>
        ruleOf(`${i}-${"n".repeat(nameLength)}`.slice(0, 80), statement, body),
      );
      const { text } = renderRules(rules, RULES_HEAD, RULE_BUDGET_CHARS, MAX_CONTEXT_CHARS);
      expect(text.length).toBeLessThanOrEqual(MAX_CONTEXT_CHARS);
      expect(text).not.toContain("</heed-episode>");
      expect(text.split("\n").filter((line) => line.startsWith("- "))).toHaveLength(rules.length);
      for (const { metadata } of rules)
        expect(
          [handleOf(metadata), shortestHandleOf(metadata)].some((one) => text.includes(`[${one}]`)),
        ).toBe(true);
    }),
    { numRuns: 150 },
  );
});
