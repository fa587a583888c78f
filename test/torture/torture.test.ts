import { describe, expect, it } from "vitest";
import type { TortureSize } from "./scenario.ts";
import { SCENARIOS, torture } from "./torture.ts";

/** Enough to see that every scenario works and that nothing is plainly broken; `npm run torture` is the real one. */
const SHORT: TortureSize = { processes: 3, operations: 8, kills: 2, failures: 2, rounds: 1, share: 0.5 };
const SEED = Number(process.env["HEED_SEED"] ?? "1");

describe(`a store under torture, seed ${SEED}`, () => {
  it.each(SCENARIOS.map((scenario) => [scenario.name, scenario] as const))(
    "%s: nothing is lost",
    { timeout: 180_000 },
    async (name, scenario) => {
      const result = await torture(scenario, SHORT, SEED);
      expect(result.findings).toEqual([]);
      expect(result.operations + result.skipped.length).toBeGreaterThan(0);
      for (const what of result.skipped) console.warn(`SKIPPED in ${name}: ${what}`);
    },
  );
});
