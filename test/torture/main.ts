import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { parseArgs } from "node:util";
import type { TortureSize } from "./scenario.ts";
import { SCENARIOS, torture } from "./torture.ts";

/** What shows that a store can be trusted: the many writers alone take 13 minutes on two cores that others use as well. */
const FULL: TortureSize = { processes: 8, operations: 500, kills: 200, failures: 200, rounds: 5, share: 1 };
/** Three to four minutes on two such cores. */
const DAILY: TortureSize = { processes: 8, operations: 100, kills: 60, failures: 60, rounds: 3, share: 1 };
/** Scenarios at once: most work with one process at a time, and would leave a core without work. */
const LANES = 3;

/**
 * In memory where the system has a place for that: nobody pulls a plug here, so waiting for a disk shows nothing. What a
 * disk refuses is made up (see fault-preload). HEED_TORTURE_DIR names another place.
 */
process.env["TMPDIR"] = process.env["HEED_TORTURE_DIR"] ?? (existsSync("/dev/shm") ? "/dev/shm" : tmpdir());

/** `npm run torture -- [--full] [--seed N] [--kills N] [--only NAME]`: ends with 1 where anything is wrong. */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: "string", default: "1" },
      kills: { type: "string" },
      full: { type: "boolean", default: false },
      only: { type: "string", default: "" },
    },
  });
  const base = values.full ? FULL : DAILY;
  const size = { ...base, kills: Number(values.kills ?? base.kills) };
  const waiting = SCENARIOS.filter(({ name }) => name.includes(values.only));
  if (waiting.length === 0 || !Number.isInteger(size.kills) || !Number.isInteger(Number(values.seed))) {
    console.error(`numbers are whole; scenarios are ${SCENARIOS.map(({ name }) => name).join(", ")}`);
    return 2;
  }
  const startedAt = performance.now();
  const sums = { operations: 0, kills: 0, findings: 0 };
  const lane = async (): Promise<void> => {
    for (let scenario = waiting.shift(); scenario; scenario = waiting.shift()) {
      const result = await torture(scenario, size, Number(values.seed));
      const { findings: found } = result;
      sums.operations += result.operations;
      sums.kills += result.kills;
      sums.findings += found.length;
      console.log(
        `  ${scenario.name.padEnd(16)} ${result.operations} operations (${result.refusals} refused), ${result.kills} kills, ${found.length} findings`,
      );
      for (const text of found.slice(0, 12)) console.log(`    ${text}`);
      for (const text of result.skipped) console.log(`    SKIPPED: ${text}`);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(2);
  console.log(
    `torture, seed ${values.seed}: ${sums.operations} operations, ${sums.kills} kills, ${sums.findings} findings, ${minutes} minutes`,
  );
  return sums.findings === 0 ? 0 : 1;
}
