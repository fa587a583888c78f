import { describe, expect, test } from "vitest";
import { fuseScores } from "../../../src/optional/semantic/rank-by-meaning.ts";

const list = (scores: Record<string, number>): { key: string; score: number }[] =>
  Object.entries(scores).map(([key, score]) => ({ key, score }));
const ranked = (words: Record<string, number>, meaning: Record<string, number>, weight: number): string =>
  fuseScores(list(words), list(meaning), weight)
    .map(({ key }) => key)
    .join("");

describe("one ranking of words and meaning", () => {
  test.each<[string, Record<string, number>, Record<string, number>, number, string]>([
    ["the weight decides between the two", { a: 10, b: 2 }, { a: 0.1, b: 0.5 }, 0.3, "ab"],
    ["… and the other way round", { a: 10, b: 2 }, { a: 0.1, b: 0.5 }, 0.6, "ba"],
    ["what only meaning knows takes part", { a: 10, b: 1 }, { a: 0.2, b: 0.1, c: 0.9 }, 0.3, "acb"],
    ["what has no nearness is as near as its words say", { a: 10, b: 9 }, { b: 0.5, c: 0.1 }, 0.3, "abc"],
    ["all equally near: words decide", { a: 1, b: 2 }, { a: 0.4, b: 0.4 }, 0.3, "ba"],
    ["no word in common at all", {}, { a: 0.1, b: 0.4 }, 0.3, "ba"],
    ["no meaning at all", { a: 1, b: 2 }, {}, 0.3, "ba"],
    ["scores of zero", { a: 0, b: 0 }, {}, 0.3, "ab"],
  ])("%s", (_, words, meaning, weight, expected) => {
    expect(ranked(words, meaning, weight)).toBe(expected);
  });
});
