import { assert, integer, property, string as anyString } from "fast-check";
import { describe, expect, it } from "vitest";
import { memoryIndex } from "../../src/index/memory-index.ts";
import { bestPassages, cutToPassages } from "../../src/recall/best-passages.ts";
import { backgroundRarity } from "../../src/recall/background-frequency.ts";
import { BODY_THRESHOLD, judgeRelevance, POINTER_THRESHOLD } from "../../src/recall/confidence-gate.ts";
import { relevanceSignals } from "../../src/recall/relevance-signals.ts";
import { search } from "../../src/recall/search.ts";
import { sampleDocument } from "../index/sample-documents.ts";

const filler = Array.from({ length: 30 }, (_, place) =>
  sampleDocument(`note-${place}`, `Notes on subject${place} and its files.`, {
    description: `subject${place}`,
  }),
);
const store = memoryIndex([
  ...filler,
  sampleDocument(
    "staging-database-host",
    "The staging database runs on pg-staging-2, port 6432, behind PgBouncer.",
    {
      description: "staging database host and port behind PgBouncer",
      trigger: ["pg-staging-2"],
    },
  ),
]);

function decide(prompt: string): { name: string; form: string; probability: number } {
  const result = search([store], { text: prompt, syntax: "prompt", isExplained: true });
  const [signals] = relevanceSignals(prompt, result);
  if (signals === undefined) return { name: "", form: "none", probability: 0 };
  const { form, probability } = judgeRelevance(signals, "related");
  return { name: result.hits[0]?.card.name ?? "", form, probability };
}

describe("the gate", () => {
  it("tells a memory whole when the prompt is about it", () => {
    expect(decide("what host and port does the staging database have behind PgBouncer?")).toMatchObject({
      name: "staging-database-host",
      form: "body",
    });
  });

  it.each(["thanks, commit that", "please fix the failing test in the login form", "rename this file"])(
    "stays silent on %j",
    (prompt) => {
      expect(decide(prompt).form).toBe("none");
    },
  );

  it.each(["always", "resume", "never"] as const)("never tells %s memories on a prompt", (injection) => {
    const prompt = "staging database host and port behind PgBouncer";
    const [signals] = relevanceSignals(
      prompt,
      search([store], { text: prompt, syntax: "prompt", isExplained: true }),
    );
    expect(signals && judgeRelevance(signals, "related").form).toBe("body");
    expect(signals && judgeRelevance(signals, injection).form).toBe("none");
  });

  it("adds up: the terms give the probability", () => {
    const prompt = "pg-staging-2 port";
    const [signals] = relevanceSignals(
      prompt,
      search([store], { text: prompt, syntax: "prompt", isExplained: true }),
    );
    const decision = signals && judgeRelevance(signals, "related");
    const sum = Object.values(decision?.terms ?? {}).reduce((total, term) => total + term, 0);
    expect(1 / (1 + Math.exp(-sum))).toBeCloseTo(decision?.probability ?? 0, 12);
    expect(signals).toMatchObject({ trigger: 1 });
    expect([BODY_THRESHOLD, POINTER_THRESHOLD]).toEqual([0.52, 0.31]);
  });

  it.each([
    ["file", 0.15],
    ["databas", 0.35],
    ["migrat", 0.6],
    ["pgbouncer", 1],
  ])("knows how common %s is", (term, rarity) => {
    expect(backgroundRarity(term)).toBe(rarity);
  });
});

describe("bestPassages", () => {
  const weights = new Map([
    ["pgbouncer", 3],
    ["port", 1],
  ]);
  const body = [
    "The first paragraph is about nothing in particular and goes on for a while.",
    "PgBouncer listens on port 6432.",
    "```sh\npsql --host pgbouncer\n```",
    "The last paragraph is about something else altogether, and is long as well.",
  ].join("\n\n");

  it.each([
    [40, ["PgBouncer listens on port 6432."]],
    [75, ["PgBouncer listens on port 6432.\n```sh\npsql --host pgbouncer\n```"]],
    [1000, [body]],
    [0, []],
  ])("within %i characters", (room, expected) => {
    expect(bestPassages(body, weights, room)).toEqual(expected);
  });

  it("gives the beginning when nothing matches, and marks what it left out between passages", () => {
    expect(bestPassages(body, new Map([["zebra", 1]]), 30)).toEqual(["The first paragraph is about"]);
    const apart = `Port 1 here.\n${"Filler that says nothing. ".repeat(20)}\nPgBouncer there.`;
    expect(cutToPassages(apart, weights, 60)).toBe("Port 1 here. […] PgBouncer there.");
  });

  it("stays within its room on any text", () => {
    assert(
      property(
        anyString({ unit: "grapheme", maxLength: 600 }),
        integer({ min: 0, max: 200 }),
        (text, room) => {
          const cut = cutToPassages(`port ${text}\nport ${text}. pgbouncer`, weights, room);
          expect(cut.length).toBeLessThanOrEqual(room);
        },
      ),
    );
  });
});
