import { execFile } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type FuzzFigure, TARGETS, fuzz, keepCase, readCorpus } from "./fuzz.ts";

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
      seed: { type: "string", default: String(Date.now() % 1_000_000) },
      json: { type: "boolean", default: false },
    },
  });
  const [seconds, seed, sessions] = [values.seconds, values.seed, values.sessions].map(Number) as [
    number,
    number,
    number,
  ];
  const maxCases = values.cases === undefined ? undefined : Number(values.cases);
  const targets = TARGETS.filter(({ name }) => values.target === undefined || name === values.target);
  const isCounted = [seconds, maxCases ?? 1, sessions].every((count) => count > 0);
  if (targets.length === 0 || !isCounted || !Number.isInteger(seed)) {
    console.error(
      `seconds, cases, sessions and seed are numbers; targets are ${TARGETS.map(({ name }) => name).join(", ")}`,
    );
    return 2;
  }
  const corpus = join(process.env["HEED_SOURCES"] ?? ".", "test", "fuzz", "corpus");
  const figures: FuzzFigure[] = [];
  const forMs = (seconds * 1_000) / targets.filter(({ made }) => made === undefined).length;
  for (const target of targets) {
    const size = maxCases === undefined ? { forMs, maxCases: 2 ** 31 - 1 } : { maxCases };
    const figure =
      target.made && maxCases === undefined
        ? await inProcesses(target.name, seed, sessions)
        : await fuzz(target, readCorpus(corpus, target.name), { seed, ...size });
    await target.close?.();
    figures.push(figure);
    const { cases, slowestMs, failure } = figure;
    const file = failure && keepCase(corpus, target.name, failure.input);
    if (values.json) continue;
    console.log(
      `${target.name.padEnd(12)} ${String(cases).padStart(7)} cases, slowest ${Math.round(slowestMs)} ms, ${failure ? "failed" : "holds"}`,
    );
    if (failure)
      console.log(
        `  ${file}\n    ${failure.why.replaceAll("\n", "\n    ").slice(0, 800)}\n    input: ${JSON.stringify(failure.input).slice(0, 300)}`,
      );
  }
  const cases = figures.reduce((sum, figure) => sum + figure.cases, 0);
  const failures = figures.filter(({ failure }) => failure).length;
  if (values.json) console.log(JSON.stringify({ seed, seconds, cases, failures, targets: figures }, null, 2));
  else console.log(`seed ${seed}: ${cases} cases tried, ${failures} failures`);
  return failures === 0 ? 0 : 1;
}

/** Divides the cases of a target among as many processes as there are cores. */
async function inProcesses(target: string, seed: number, cases: number): Promise<FuzzFigure> {
  const processes = Math.min(availableParallelism(), cases);
  const parts = Array.from({ length: processes }, async (_, at): Promise<FuzzFigure | undefined> => {
    const share = { cases: Math.floor((cases + at) / processes), seed: seed * processes + at };
    const args = Object.entries({ target, ...share }).flatMap(([key, value]) => [`--${key}`, String(value)]);
    const said = await new Promise<string>((resolve) => {
      const own = [...process.argv.slice(1, 3), "--json", ...args];
      execFile(process.execPath, own, (_error, stdout) => resolve(stdout));
    });
    return (JSON.parse(said) as { targets: FuzzFigure[] }).targets[0];
  });
  const figures = (await Promise.all(parts)).flatMap((figure) => figure ?? []);
  const failure = figures.find((figure) => figure.failure)?.failure;
  return {
    target,
    cases: figures.reduce((sum, figure) => sum + figure.cases, 0),
    slowestMs: Math.max(...figures.map(({ slowestMs }) => slowestMs)),
    ...(failure && { failure }),
  };
}
