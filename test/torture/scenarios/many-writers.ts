import { BOTH, expectEnd, inHome } from "../scenario.ts";
import type { Scenario } from "../scenario.ts";

/** Processes at once, each with all kinds of operations on memories of its own in the same stores. */
export const manyWriters: Scenario = {
  name: "many writers",
  run: (size, random) =>
    inHome(async (home, result) => {
      const workers = Array.from({ length: size.processes }, () => ({
        worker: home.nextWorker(),
        seed: random.below(2 ** 31),
        operations: size.operations,
        prepared: 2,
        mix: "mixed" as const,
        stores: BOTH,
      }));
      const ends = await Promise.all(workers.map((task) => home.run({ task, hasRemote: true })));
      for (const end of ends) expectEnd(end, result, "a writer among many");
    }),
};
