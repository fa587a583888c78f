import { execFile } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { TARGETS } from "./all-targets.ts";
import { keepCase, readCorpus } from "./corpus.ts";
import type { FuzzFigure } from "./fuzz.ts";
import { fuzz } from "./fuzz.ts";

/**
 * `npm run fuzz -- [--seconds N | --cases N] [--sessions N] [--target NAME] [--seed N] [--json]`: what fails goes into
 * the corpus. The seconds are for all targets together but sessions, the cases for each.
 */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: "string", default: "60" },
      cases: { type: "string" },
      sessions: { type: "string", default: "5000" },
      target: { type: "string" },
      seed: { type: "string" },
      json: { type: "boolean", default: false },
    },
  });
  const seconds = Number(values.seconds);
  const seed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed);
  const targets = TARGETS.filter(({ name }) => values.target === undefined || name === values.target);
  const maxCases = values.cases === undefined ? Infinity : Number(values.cases);
  const sessions = Number(values.sessions);
  const isCounted = [seconds, maxCases, sessions].every((count) => count > 0);
  if (targets.length === 0 || !isCounted || !Number.isInteger(seed)) {
    console.error(
      `seconds, cases, sessions and seed are numbers; targets are ${TARGETS.map(({ name }) => name).join(", ")}`,
    );
    return 2;
  }
  const corpus = join(process.env["HEED_SOURCES"] ?? ".", "test", "fuzz", "corpus");
  const figures: FuzzFigure[] = [];
  const shares = targets.filter((target) => target.make === undefined).length;
  for (const target of targets) {
    const known = readCorpus(corpus, target.name).map(({ input }) => input);
    const untilMs = maxCases === Infinity ? performance.now() + (seconds * 1_000) / shares : Infinity;
    const figure =
      target.make && maxCases === Infinity
        ? await inProcesses(target.name, seed, sessions)
        : await fuzz(target, known, { seed, untilMs, maxCases });
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

/** Divides the cases of a target among as many processes as there are cores. */
async function inProcesses(target: string, seed: number, cases: number): Promise<FuzzFigure> {
  const processes = Math.min(availableParallelism(), cases);
  const parts = Array.from({ length: processes }, async (_, at): Promise<FuzzFigure | undefined> => {
    const share = Math.floor((cases + at) / processes);
    const args = [
      "--json",
      "--target",
      target,
      "--cases",
      String(share),
      "--seed",
      String(seed * processes + at),
    ];
    const said = await new Promise<string>((resolve) => {
      execFile(process.execPath, [...process.argv.slice(1, 3), ...args], (_error, stdout) => resolve(stdout));
    });
    return (JSON.parse(said) as { targets: FuzzFigure[] }).targets[0];
  });
  const figures = (await Promise.all(parts)).flatMap((figure) => figure ?? []);
  return {
    target,
    cases: figures.reduce((sum, figure) => sum + figure.cases, 0),
    slowestMs: Math.max(...figures.map(({ slowestMs }) => slowestMs)),
    failures: figures.flatMap(({ failures }) => failures),
  };
}
