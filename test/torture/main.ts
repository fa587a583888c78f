import { parseArgs } from "node:util";
import type { TortureFigure } from "./torture.ts";
import { FULL_SIZE, SCENARIOS, torture } from "./torture.ts";

/** `npm run torture -- [--seed N] [--ops N] [--processes N] [--kills N] [--minutes N] [--only NAME] [--json]`. */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: "string", default: "1" },
      ops: { type: "string", default: String(FULL_SIZE.operations) },
      processes: { type: "string", default: String(FULL_SIZE.processes) },
      kills: { type: "string", default: String(FULL_SIZE.kills) },
      failures: { type: "string", default: String(FULL_SIZE.failures) },
      rounds: { type: "string", default: String(FULL_SIZE.rounds) },
      minutes: { type: "string", default: "0" },
      only: { type: "string" },
      json: { type: "boolean", default: false },
    },
  });
  const size = {
    processes: Number(values.processes),
    operations: Number(values.ops),
    kills: Number(values.kills),
    failures: Number(values.failures),
    rounds: Number(values.rounds),
  };
  const scenarios = SCENARIOS.filter(({ name }) => values.only === undefined || name.includes(values.only));
  if (
    scenarios.length === 0 ||
    Object.values(size).some((number) => !Number.isInteger(number) || number < 1)
  ) {
    console.error(
      `numbers are whole and above 0; scenarios are ${SCENARIOS.map(({ name }) => name).join(", ")}`,
    );
    return 2;
  }
  const figures: TortureFigure[] = [];
  const untilMs = Date.now() + Number(values.minutes) * 60_000;
  let seed = Number(values.seed);
  // With --minutes, one seed after another until the time is over.
  do {
    if (!values.json) console.log(`seed ${seed}`);
    for await (const figure of torture(scenarios, size, seed)) {
      figures.push(figure);
      if (!values.json) print(figure);
    }
    seed += 1;
  } while (Date.now() < untilMs);
  const sum = (pick: (figure: TortureFigure) => number): number =>
    figures.reduce((all, figure) => all + pick(figure), 0);
  const totals = {
    seed: Number(values.seed),
    operations: sum(({ operations }) => operations),
    kills: sum(({ kills }) => kills),
    losses: sum(({ losses }) => losses.length),
    faults: sum(({ faults }) => faults.length),
    skipped: figures.flatMap(({ skipped }) => skipped),
    minutes: Number(sum(({ minutes }) => minutes).toFixed(2)),
  };
  if (values.json) console.log(JSON.stringify({ ...totals, scenarios: figures }, null, 2));
  else
    console.log(
      `${totals.operations} operations, ${totals.kills} kills, ${totals.losses} losses, ${totals.faults} other faults, ${totals.minutes} minutes`,
    );
  return totals.losses + totals.faults === 0 ? 0 : 1;
}

function print({ name, operations, refusals, kills, losses, faults, skipped, minutes }: TortureFigure): void {
  console.log(
    `  ${name.padEnd(22)} ${String(operations).padStart(5)} operations (${refusals} refused), ${kills} kills, ${losses.length} losses, ${faults.length} other faults, ${minutes.toFixed(2)} minutes`,
  );
  for (const text of [
    ...losses.map((loss) => `LOST: ${loss}`),
    ...faults.map((fault) => `FAULT: ${fault}`),
  ].slice(0, 12))
    console.log(`    ${text}`);
  for (const text of skipped) console.log(`    SKIPPED: ${text}`);
}
