import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { type Scenario, type TortureSize, expectEnd, inHome, lookOver } from "../scenario.ts";
import type { TortureHome, WorkerStart } from "../torture-home.ts";

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

/** Processes at once on the same stores, each with memories of its own. */
const TOGETHER: readonly Together[] = [
  {
    name: "many writers",
    starts: (_home, { processes }) => Array.from({ length: processes }, () => ({ hasRemote: true })),
    operations: ({ operations }) => operations,
    rounds: () => 1,
  },
  {
    // One store under two paths.
    name: "other paths",
    starts: ({ folder, home, project }) => {
      const [linkedHome, linkedProject] = [join(folder, "linked-home"), join(folder, "linked-project")];
      if (!existsSync(linkedHome)) symlinkSync(home, linkedHome);
      if (!existsSync(linkedProject)) symlinkSync(project, linkedProject);
      return [{}, { cwd: linkedProject, env: { HEED_DIR: join(linkedHome, "memory") } }];
    },
    operations: share(12),
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
        const runs = together.starts(home, size).map(({ stores, ...start }) => {
          const task = home.task(random, together.operations(size), stores && { stores });
          return home.run({ ...start, task });
        });
        for (const end of await Promise.all(runs)) expectEnd(end, result, "one of several processes");
        if (together.isLookedOver === true) await lookOver(home, result, `round ${round}`);
      }
    }),
}));
