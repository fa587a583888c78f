import { parseArgs } from "node:util";
import { allFindings } from "./check-home.ts";
import type { TortureFigure } from "./torture.ts";
import { DAILY_SIZE, FULL_SIZE, SCENARIOS, torture } from "./torture.ts";

/** Scenarios at once: the three dear ones begin together. */
const LANES = 3;

/**
 * `npm run torture -- [--full] [--seed N] [--ops N] [--processes N] [--kills N] [--failures N] [--rounds N] [--lanes N]
 * [--only NAME]`. Says in its last line what was lost, and ends with 1 where anything is wrong.
 */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: "string", default: "1" },
      ops: { type: "string" },
      processes: { type: "string" },
      kills: { type: "string" },
      failures: { type: "string" },
      rounds: { type: "string" },
      lanes: { type: "string", default: String(LANES) },
      full: { type: "boolean", default: false },
      only: { type: "string" },
    },
  });
  const base = values.full ? FULL_SIZE : DAILY_SIZE;
  const size = {
    processes: Number(values.processes ?? base.processes),
    operations: Number(values.ops ?? base.operations),
    kills: Number(values.kills ?? base.kills),
    failures: Number(values.failures ?? base.failures),
    rounds: Number(values.rounds ?? base.rounds),
  };
  const lanes = Number(values.lanes);
  const scenarios = SCENARIOS.filter(({ name }) => values.only === undefined || name.includes(values.only));
  if (
    scenarios.length === 0 ||
    Object.values({ ...size, lanes }).some((number) => !Number.isInteger(number) || number < 1)
  ) {
    console.error(
      `numbers are whole and above 0; scenarios are ${SCENARIOS.map(({ name }) => name).join(", ")}`,
    );
    return 2;
  }
  const figures: TortureFigure[] = [];
  const startedAt = performance.now();
  console.log(`seed ${values.seed}`);
  for await (const figure of torture(scenarios, { ...size, share: 1 }, Number(values.seed), lanes)) {
    figures.push(figure);
    print(figure);
  }
  const sum = (pick: (figure: TortureFigure) => number): number =>
    figures.reduce((all, figure) => all + pick(figure), 0);
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(2);
  console.log(
    `${sum(({ operations }) => operations)} operations, ${sum(({ kills }) => kills)} kills, ${minutes} minutes`,
  );
  const counts = [
    `${sum(({ losses }) => losses.length)} lost`,
    `${sum(({ torn }) => torn.length)} torn`,
    `${sum(({ differences }) => differences.length)} differ`,
    `${sum(({ faults }) => faults.length)} other faults`,
  ];
  console.log(`torture: ${figures.length} scenarios, ${counts.join(", ")}`);
  return sum((figure) => allFindings(figure).length) === 0 ? 0 : 1;
}

function print(figure: TortureFigure): void {
  const { name, operations, refusals, kills, skipped, minutes } = figure;
  const found = allFindings(figure);
  console.log(
    `  ${name.padEnd(22)} ${String(operations).padStart(5)} operations (${refusals} refused), ${kills} kills, ${found.length} findings, ${minutes.toFixed(2)} minutes`,
  );
  for (const text of found.slice(0, 12)) console.log(`    ${text}`);
  for (const text of skipped) console.log(`    SKIPPED: ${text}`);
}
