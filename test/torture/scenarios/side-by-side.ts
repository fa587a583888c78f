import { join } from "node:path";
import { type Scenario, type TortureSize, expectEnd, inHome, lookOver } from "../scenario.ts";
import type { SeededWords } from "../seeded-words.ts";
import type { TortureHome, WorkerStart } from "../torture-home.ts";

const YEAR_MS = 366 * 86_400_000;

interface Together {
  name: string;
  starts: (
    home: TortureHome,
    size: TortureSize,
  ) => (Omit<WorkerStart, "task"> & { stores?: readonly "user"[] })[];
  operations: (size: TortureSize) => number;
  rounds?: (size: TortureSize) => number;
  /** The home is looked over after each round, not at the end alone. */
  isLookedOver?: boolean;
}

const each = (size: TortureSize): number => size.rounds;
const share =
  (count: number) =>
  (size: TortureSize): number =>
    Math.ceil(count * size.share);
const clock = (maxJumpMs: number) => ({ seed: maxJumpMs, chance: 0.2, maxJumpMs });

/** Processes at once on the same stores, each with memories of its own. */
const TOGETHER: readonly Together[] = [
  {
    name: "many writers",
    starts: (_home, { processes }) => Array.from({ length: processes }, () => ({ hasRemote: true })),
    operations: ({ operations }) => operations,
    rounds: () => 1,
  },
  {
    name: "clock jumps",
    starts: () => [60_000, YEAR_MS].map((ms) => ({ hasRemote: true, clock: clock(ms) })),
    operations: share(12),
  },
  {
    // Each reads the other's index as none.
    name: "two versions",
    starts: () => [{ version: "now" }, { version: "next" }],
    operations: share(12),
    isLookedOver: true,
  },
  {
    // The stores are shared; state, cache and locks of each machine are its own.
    name: "a network folder",
    starts: ({ home }) =>
      ["state", "other-state"].map((name) => ({
        stores: ["user"],
        env: { HEED_STATE_DIR: join(home, name), HEED_CACHE_DIR: join(home, `${name}-cache`) },
      })),
    operations: share(40),
    isLookedOver: true,
  },
];

export const sideBySide: readonly Scenario[] = TOGETHER.map((together) => ({
  name: together.name,
  run: (size, random) =>
    inHome(async (home, result) => {
      for (let round = 1; round <= (together.rounds ?? each)(size); round++) {
        await runTogether(home, result, random, together.operations(size), together.starts(home, size));
        if (together.isLookedOver === true) await lookOver(home, result, `round ${round}`);
      }
    }),
}));

/** Runs processes at once, and says which ended otherwise than it should. */
export async function runTogether(
  home: TortureHome,
  result: Parameters<typeof expectEnd>[1],
  random: SeededWords,
  operations: number,
  starts: ReturnType<Together["starts"]>,
): Promise<void> {
  const runs = starts.map(({ stores, ...start }) =>
    home.run({ ...start, task: home.task(random, operations, stores && { stores }) }),
  );
  for (const end of await Promise.all(runs)) expectEnd(end, result, "one of several processes");
}
