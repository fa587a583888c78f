import { BOTH, expectEnd, inHome } from "../scenario.ts";
import type { Scenario } from "../scenario.ts";

const YEAR_MS = 366 * 86_400_000;

/** Clocks that jump forwards and backwards, each process with its own. */
export const clockJumps: Scenario = {
  name: "clock jumps",
  run: (size, random) =>
    inHome(async (home, result) => {
      for (let round = 0; round < size.rounds; round++) {
        const starts = [60_000, YEAR_MS].map((maxJumpMs) => ({
          task: {
            worker: home.nextWorker(),
            seed: random.below(2 ** 31),
            operations: Math.ceil(12 * size.share),
            prepared: 2,
            mix: "mixed" as const,
            stores: BOTH,
          },
          hasRemote: true,
          clock: { seed: random.below(2 ** 31), chance: 0.2, maxJumpMs },
        }));
        for (const end of await Promise.all(starts.map((start) => home.run(start))))
          expectEnd(end, result, "a process with a jumping clock");
      }
    }),
};
