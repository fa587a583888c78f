import { join } from "node:path";
import { expectEnd, inHome, lookOver } from "../scenario.ts";
import type { Scenario } from "../scenario.ts";

/** Two machines on one network folder: the stores are shared, state, cache and locks of each are its own. */
export const networkFolder: Scenario = {
  name: "a network folder",
  run: (size, random) =>
    inHome(async (home, result) => {
      const machines = ["state", "other-state"].map((name) => ({
        HEED_STATE_DIR: join(home.home, name),
        HEED_CACHE_DIR: join(home.home, `${name}-cache`),
      }));
      for (let round = 0; round < size.rounds; round++) {
        const starts = machines.map((env) => ({
          env,
          task: {
            worker: home.nextWorker(),
            seed: random.below(2 ** 31),
            operations: Math.ceil(40 * size.share),
            prepared: 2,
            mix: "mixed" as const,
            stores: ["user"] as const,
          },
        }));
        for (const end of await Promise.all(starts.map((start) => home.run(start))))
          expectEnd(end, result, "one of two machines");
        await lookOver(home, result, `round ${round + 1}`);
      }
    }),
};
