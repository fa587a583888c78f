import { BOTH, expectEnd, lookOver, inHome } from "../scenario.ts";
import type { Scenario } from "../scenario.ts";

/** Two versions of heed on the same stores at once; each reads the other's index as none. */
export const twoVersions: Scenario = {
  name: "two versions",
  run: (size, random) =>
    inHome(async (home, result) => {
      for (let round = 0; round < size.rounds; round++) {
        const starts = (["now", "next"] as const).map((version) => ({
          version,
          task: {
            worker: home.nextWorker(),
            seed: random.below(2 ** 31),
            operations: Math.ceil(12 * size.share),
            prepared: 2,
            mix: "mixed" as const,
            stores: BOTH,
          },
        }));
        for (const end of await Promise.all(starts.map((start) => home.run(start))))
          expectEnd(end, result, "one of two versions");
        await lookOver(home, result, `round ${round + 1}`);
      }
    }),
};
