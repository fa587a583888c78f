import { describe, expect, it } from "vitest";
import { gateProblems } from "../../src/curate/gate-problems.ts";
import type { MemoryCard } from "../../src/memory/memory-card.ts";
import { TypeTable } from "../../src/memory/memory-type.ts";
import { cardOf } from "../memory/card-of.ts";
import { draftOf } from "./gate-fixture.ts";

function stored(
  changes: Partial<MemoryCard>,
  body: string = draftOf().body,
): { card: MemoryCard; body: string } {
  const { description } = draftOf();
  const card = cardOf({ name: "memory", description, created: "2026-03-02T10:00:00Z", ...changes });
  return { card, body };
}

const CONTEXT = { types: new TypeTable(), today: "2026-11-21", instructions: [] };

describe("a hand edit", () => {
  it.each([
    ["a plain memory", stored({})],
    ["a guard that a person wrote", stored({ guard: { tool: "Bash" } })],
    ["a type that nobody declared, which is reported elsewhere", stored({ type: "nonsense" }, "tomorrow")],
    [
      "a rule with a weekday",
      stored({ type: "feedback" }, "Deploy on Friday.\n**Why:** a\n**How to apply:** b"),
    ],
  ])("is not complained of: %s", async (_what, memory) => {
    expect(await gateProblems(memory, CONTEXT)).toEqual([]);
  });

  it.each([
    ["schema", stored({ type: "feedback" }, "Never.\n**How to apply:** always."), /needs the user.s words/],
    ["schema", stored({ description: "a".repeat(201) }), /201 characters/],
    ["relative-dates", stored({}, "It goes live next sprint."), /"next sprint"/],
    [
      "derivable",
      stored({ description: "parseUrl is defined in src/net/url.ts" }, "See src/net/url.ts."),
      /code-structure/,
    ],
  ])("is reported by gate %s", async (code, memory, message) => {
    expect(await gateProblems(memory, CONTEXT)).toMatchObject([
      {
        file: "project/memory.md",
        severity: "warning",
        code,
        message: expect.stringMatching(message) as string,
      },
    ]);
  });

  it("is dated by its last change, not by the day of the check", async () => {
    const memory = stored({ updated: "2026-03-09T10:00:00Z" }, "The demo is tomorrow.");
    expect(await gateProblems(memory, CONTEXT)).toMatchObject([
      { code: "relative-dates", remedy: 'write "2026-03-10" if that is meant' },
    ]);
  });
});
