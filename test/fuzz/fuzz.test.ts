import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { TARGETS, fuzz, readCorpus, whyFailed } from "./fuzz.ts";

const CORPUS = join(import.meta.dirname, "corpus");
/** Enough to run every property; `npm run fuzz -- --seconds N` looks for what is not known. */
const CASES = 25;

afterAll(async () => {
  for (const target of TARGETS) await target.close?.();
});

describe.each(TARGETS.map((target) => [target.name, target] as const))("%s", (_, target) => {
  it("holds for a few made-up cases, and for every case that was found", { timeout: 120_000 }, async () => {
    const maxCases = target.cases ?? CASES;
    const { cases, failure } = await fuzz(target, [], { seed: 1, maxCases });
    expect(failure).toBeUndefined();
    expect(cases).toBe(maxCases);
    const failed = [];
    for (const input of readCorpus(CORPUS, target.name)) {
      const why = await whyFailed(target, input);
      if (why !== undefined) failed.push({ input, why });
    }
    expect(failed).toEqual([]);
  });
});

it("what does not hold is found, and made small", async () => {
  const check = (input: string): void => {
    if (input.includes("needle")) throw new Error("found it");
  };
  const target = { name: "broken", seeds: ["x"], words: ["needle"], check };
  expect((await fuzz(target, [], { seed: 1, maxCases: 2_000 })).failure?.input).toBe("needlex");
});
