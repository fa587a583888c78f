import { describe, expect, test } from "vitest";
import { weighQuote } from "../../src/curate/confirming-turn.ts";
import { doesNotSay, saysOtherwise } from "../../src/curate/quoted-clause.ts";
import { provenanceGate } from "../../src/curate/provenance-gate.ts";
import { withdraws } from "../../src/curate/withdrawing-turn.ts";
import { contextOf, draftOf } from "./gate-fixture.ts";

// Each share by which words are compared, on both sides of where it parts.
const STEMS =
  "bundle compress upload deploy monitor archive rotate migrate publish review encrypt validate cache index parse render merge commit branch tag".split(
    " ",
  );
const OTHERS = "colour window garden bridge summer copper violin harbor candle meadow".split(" ");
const some = (words: readonly string[], count: number): string => words.slice(0, count).join(" ");

describe("the shares by which words are compared", () => {
  test.each([
    [5, false],
    [6, true],
  ])("a statement of 10 words is turned round by a clause that has %i of them: %s", (count, isTurned) => {
    expect(doesNotSay(`never ${some(STEMS, count)}`, some(STEMS, 10))).toBe(isTurned);
  });

  test.each([
    [4, false],
    [5, true],
  ])("a reply with %i of its 10 words says otherwise: %s", (count, isOther) => {
    expect(saysOtherwise(`never ${some(STEMS, count)}`, some(STEMS, 10))).toBe(isOther);
  });

  test.each([
    [3, true],
    [4, false],
  ])("a reason of 20 words, of which a turn says %i, is refused: %s", async (count, isRefused) => {
    const draft = {
      ...draftOf({ type: "feedback", description: "a b", body: "c" }),
      reason: some(STEMS, 20),
    };
    const context = contextOf("feedback", { hearsUser: true, userTurns: [`because ${some(STEMS, count)}`] });
    const { refusals = [] } = await provenanceGate.check(draft, context);
    expect(refusals.some(({ reason }) => reason.includes("no such reason"))).toBe(isRefused);
  });

  const isGiven = (said: string, words: number): boolean => {
    const [at, time] = ["2026-01-01T10:00:00.000Z", "2026-01-01T10:01:00.000Z"];
    const description = some(STEMS, words);
    return weighQuote(
      said,
      [{ text: said, time }],
      { name: "x", description, body: "", at },
      { askedAt: [at] },
    ).isGiven;
  };
  test.each([
    [6, 0, false],
    [7, 0, true],
    [9, 0, true],
    [9, 1, false],
  ])("a yes and %i of its 9 words, with %i others, says it again: %s", (own, others, isAgain) => {
    expect(isGiven(`yes, ${some(STEMS, own)} ${some(OTHERS, others)}`, 9)).toBe(isAgain);
  });

  test.each([
    [2, 3, false],
    [2, 2, true],
  ])("a rule is named by %i words of its own beside %i others: %s", (own, others, isNamed) => {
    const rule = { name: "x", description: some(STEMS, 8) };
    expect(withdraws(`drop the rule on ${some(STEMS, own)} ${some(OTHERS, others)}`, rule) > 0).toBe(isNamed);
  });
});
