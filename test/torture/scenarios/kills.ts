import { BOTH, expectEnd, lookOver, inHome } from "../scenario.ts";
import type { Scenario } from "../scenario.ts";
import type { WorkerTask } from "../worker-task.ts";

const MIXES = ["write", "merge", "tidy", "undo"] as const;
/** The home is looked over after so many kills. */
const LOOK_EVERY = 10;

/** `kill -9` at a random call of the file system, in the middle of a write, a merge, tidying or an undo. */
export const kills: Scenario = {
  name: "kill -9",
  run: (size, random) =>
    inHome(async (home, result) => {
      const calls: Partial<Record<(typeof MIXES)[number], number>> = {};
      const taskOf = (mix: WorkerTask["mix"]): WorkerTask => ({
        cwd: home.project,
        worker: home.nextWorker(),
        seed: random.below(2 ** 31),
        operations: Math.ceil(6 * size.share),
        prepared: 3,
        mix,
        stores: BOTH,
      });
      for (let kill = 0; kill < size.kills; kill++) {
        const mix = MIXES[kill % MIXES.length] ?? "write";
        if (calls[mix] === undefined) {
          const end = await home.run({ task: taskOf(mix), hasRemote: true, fault: { kind: "changing" } });
          expectEnd(end, result, `a process of ${mix}`);
          calls[mix] = end.calls;
        }
        const at = 1 + random.below(calls[mix] ?? 1);
        const fault = { kind: "changing", at, code: "KILL" } as const;
        const end = await home.run({ task: taskOf(mix), hasRemote: true, fault });
        if (end.exitCode === undefined) result.kills += 1;
        if (kill % LOOK_EVERY === LOOK_EVERY - 1)
          await lookOver(home, result, `kill ${kill + 1}, in ${mix} at call ${at}`);
      }
    }),
};
