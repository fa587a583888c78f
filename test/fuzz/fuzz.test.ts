import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { TARGETS } from "./all-targets.ts";
import { readCorpus } from "./corpus.ts";
import { fuzz, whyFailed } from "./fuzz.ts";

const CORPUS = join(import.meta.dirname, "corpus");
/** Enough to run every property; `npm run fuzz -- --seconds N` looks for what is not known. */
const CASES = 25;

afterAll(async () => {
  for (const target of TARGETS) await target.close?.();
});

describe.each(TARGETS.map((target) => [target.name, target] as const))("%s", (_, target) => {
  it("holds for a few made-up cases", { timeout: 120_000 }, async () => {
    const maxCases = target.cases ?? CASES;
    const { cases, failures } = await fuzz(target, [], { seed: 1, maxCases });
    expect(failures).toEqual([]);
    expect(cases).toBe(maxCases);
  });

  it("holds for every case that was found", { timeout: 120_000 }, async () => {
    const failed = [];
    for (const { file, input } of readCorpus(CORPUS, target.name)) {
      const why = await whyFailed(target, input);
      if (why !== undefined) failed.push({ file, why });
    }
    expect(failed).toEqual([]);
  });
});

describe("the fuzzer", () => {
  it("finds what does not hold, and makes it small", async () => {
    const target = {
      name: "broken",
      seeds: ["some ordinary text"],
      words: ["needle"],
      check(input: string) {
        if (input.includes("needle")) throw new Error("found it");
      },
    };
    const { failures } = await fuzz(target, [], { seed: 1, maxCases: 2_000 });
    expect(failures.map(({ input }) => input)).toEqual(["needle"]);
  });
});
