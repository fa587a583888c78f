import { type Scenario, type TortureSize, expectEnd, inHome, lookOver } from "../scenario.ts";
import type { SeededWords } from "../seeded-words.ts";
import type { Fault, WorkerTask } from "../torture-home.ts";

const CODES = ["ENOSPC", "EACCES", "EROFS", "EIO", "EMFILE", "EDQUOT"];

interface Failing {
  name: string;
  mixes: readonly WorkerTask["mix"][];
  times: (size: TortureSize) => number;
  operations: number;
  /** The home is looked over after so many failures. */
  lookEvery: number;
  faultOf: (random: SeededWords) => Omit<Fault, "at">;
}

/** A call of the file system fails or kills the process, at a random place of what a process of that kind does. */
const FAILING: readonly Failing[] = [
  {
    // One of the calls, or all from one on, while it is written or while it is read.
    name: "failing disk",
    mixes: ["write", "undo", "tidy", "merge", "reindex", "read", "mixed"],
    times: ({ failures }) => failures,
    operations: 5,
    lookEvery: 8,
    faultOf: (random) => ({
      kind: random.below(3) === 0 ? "any" : "changing",
      code: random.pick(CODES) ?? "EIO",
      isSticky: random.below(2) === 0,
    }),
  },
  {
    name: "kill -9",
    mixes: ["write", "merge", "tidy", "undo"],
    times: ({ kills }) => kills,
    operations: 6,
    lookEvery: 10,
    faultOf: () => ({ kind: "changing", code: "KILL" }),
  },
];

export const failingCalls: readonly Scenario[] = FAILING.map(
  ({ name, mixes, times, operations, lookEvery, faultOf }) => ({
    name,
    run: (size, random) =>
      inHome(async (home, result) => {
        const calls = new Map<string, number>();
        const run = (mix: WorkerTask["mix"], fault: Fault) =>
          home.run({
            task: home.task(random, operations * size.share, { mix, prepared: 3 }),
            hasRemote: true,
            fault,
          });
        for (let time = 1; time <= times(size); time++) {
          const mix = mixes[time % mixes.length] ?? "write";
          const fault = faultOf(random);
          const counted = `${mix} ${fault.kind}`;
          if (!calls.has(counted)) {
            const end = await run(mix, { kind: fault.kind });
            expectEnd(end, result, `a process of ${mix}`);
            calls.set(counted, end.calls);
          }
          const at = 1 + random.below(calls.get(counted) ?? 1);
          const end = await run(mix, { ...fault, at });
          const what = `${name} ${time}, ${mix}: ${JSON.stringify({ ...fault, at })}`;
          if (fault.code !== "KILL") expectEnd(end, result, what);
          else if (end.exitCode === undefined) result.kills += 1;
          if (time % lookEvery === 0 || home.model.faults.length > 0) await lookOver(home, result, what);
        }
      }),
  }),
);
