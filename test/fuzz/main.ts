import { join } from "node:path";
import { parseArgs } from "node:util";
import { TARGETS } from "./all-targets.ts";
import { keepCase, readCorpus } from "./corpus.ts";
import type { FuzzFigure } from "./fuzz.ts";
import { fuzz } from "./fuzz.ts";

/**
 * `npm run fuzz -- [--seconds N | --cases N] [--target NAME] [--seed N] [--json]`: what fails goes into the corpus. The
 * seconds are for all targets together, the cases for each.
 */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: "string", default: "60" },
      cases: { type: "string" },
      target: { type: "string" },
      seed: { type: "string" },
      json: { type: "boolean", default: false },
    },
  });
  const seconds = Number(values.seconds);
  const seed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed);
  const targets = TARGETS.filter(({ name }) => values.target === undefined || name === values.target);
  const maxCases = values.cases === undefined ? Infinity : Number(values.cases);
  if (targets.length === 0 || !(seconds > 0) || !(maxCases > 0) || !Number.isInteger(seed)) {
    console.error(
      `seconds, cases and seed are numbers; targets are ${TARGETS.map(({ name }) => name).join(", ")}`,
    );
    return 2;
  }
  const corpus = join(process.env["HEED_SOURCES"] ?? ".", "test", "fuzz", "corpus");
  const figures: FuzzFigure[] = [];
  for (const target of targets) {
    const known = readCorpus(corpus, target.name).map(({ input }) => input);
    const untilMs = maxCases === Infinity ? performance.now() + (seconds * 1_000) / targets.length : Infinity;
    const figure = await fuzz(target, known, { seed, untilMs, maxCases });
    await target.close?.();
    figures.push(figure);
    const files = figure.failures.map(({ input }) => keepCase(corpus, target.name, input));
    if (values.json) continue;
    console.log(
      `${target.name.padEnd(12)} ${String(figure.cases).padStart(7)} cases, slowest ${Math.round(figure.slowestMs)} ms, ${figure.failures.length} failures`,
    );
    for (const [i, { why, input }] of figure.failures.entries())
      console.log(
        `  ${files[i] ?? ""}\n    ${why.replaceAll("\n", "\n    ").slice(0, 800)}\n    input: ${JSON.stringify(input).slice(0, 300)}`,
      );
  }
  const cases = figures.reduce((sum, figure) => sum + figure.cases, 0);
  const failures = figures.flatMap((figure) => figure.failures);
  if (values.json)
    console.log(
      JSON.stringify({ seed, seconds, cases, failures: failures.length, targets: figures }, null, 2),
    );
  else console.log(`seed ${seed}: ${cases} cases tried, ${failures.length} failures`);
  return failures.length === 0 ? 0 : 1;
}
