import { BOTH, expectEnd, lookOver, inHome } from "../scenario.ts";
import type { Scenario } from "../scenario.ts";
import type { Fault, WorkerTask } from "../worker-task.ts";

const CODES = ["ENOSPC", "EACCES", "EROFS", "EIO", "EMFILE", "EDQUOT"];
const MIXES = ["write", "undo", "tidy", "merge", "reindex", "read", "mixed"] as const;
const LOOK_EVERY = 8;

/** Calls of the file system fail: one of them, or all from one on, while it is written or while it is read. */
export const failingDisk: Scenario = {
  name: "failing disk",
  run: (size, random) =>
    inHome(async (home, result) => {
      const calls = new Map<string, number>();
      const taskOf = (mix: WorkerTask["mix"]): WorkerTask => ({
        cwd: home.project,
        worker: home.nextWorker(),
        seed: random.below(2 ** 31),
        operations: Math.ceil(5 * size.share),
        prepared: 3,
        mix,
        stores: BOTH,
      });
      for (let failure = 0; failure < size.failures; failure++) {
        const mix = MIXES[failure % MIXES.length] ?? "write";
        const kind: Fault["kind"] = random.below(3) === 0 ? "any" : "changing";
        const counted = `${mix} ${kind}`;
        if (!calls.has(counted)) {
          const end = await home.run({ task: taskOf(mix), hasRemote: true, fault: { kind } });
          expectEnd(end, result, `a process of ${mix}`);
          calls.set(counted, end.calls);
        }
        const at = 1 + random.below(calls.get(counted) ?? 1);
        const fault = { kind, at, code: random.pick(CODES) ?? "EIO", isSticky: random.below(2) === 0 };
        const end = await home.run({ task: taskOf(mix), hasRemote: true, fault });
        const what = `failure ${failure + 1}, ${mix}: ${fault.code} at ${kind} call ${at}${fault.isSticky ? " and after" : ""}`;
        expectEnd(end, result, what);
        if (failure % LOOK_EVERY === LOOK_EVERY - 1 || home.model.crashes.length > 0)
          await lookOver(home, result, what);
      }
    }),
};
