import { join } from "node:path";
import { parseArgs } from "node:util";
import { TARGETS, fuzz, keepCase, readCorpus } from "./fuzz.ts";

/**
 * `npm run fuzz -- [--seconds N] [--sessions N] [--target NAME] [--seed N]`: what fails goes into the corpus.
 * The seconds are for all targets together but sessions.
 */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: "string", default: "60" },
      sessions: { type: "string", default: "5000" },
      target: { type: "string" },
      seed: { type: "string", default: String(Date.now() % 1_000_000) },
    },
  });
  const [seconds = 0, sessions = 0, seed = 0] = [values.seconds, values.sessions, values.seed].map(Number);
  const targets = TARGETS.filter(({ name }) => values.target === undefined || name === values.target);
  if (targets.length === 0 || !(seconds > 0) || !(sessions > 0) || !Number.isInteger(seed)) {
    console.error(
      `seconds, sessions and seed are numbers; targets are ${TARGETS.map(({ name }) => name).join(", ")}`,
    );
    return 2;
  }
  const corpus = join(process.env["HEED_SOURCES"] ?? ".", "test", "fuzz", "corpus");
  const forMs = (seconds * 1_000) / targets.filter(({ made }) => made === undefined).length;
  let [tried, failures] = [0, 0];
  for (const target of targets) {
    const size = target.made ? { maxCases: sessions } : { forMs, maxCases: 2 ** 31 - 1 };
    const { cases, slowestMs, failure } = await fuzz(target, readCorpus(corpus, target.name), {
      seed,
      ...size,
    });
    await target.close?.();
    tried += cases;
    console.log(
      `${target.name.padEnd(12)} ${String(cases).padStart(7)} cases, slowest ${Math.round(slowestMs)} ms, ${failure ? "failed" : "holds"}`,
    );
    if (!failure) continue;
    failures += 1;
    console.log(
      `  ${keepCase(corpus, target.name, failure.input)}\n    ${failure.why.replaceAll("\n", "\n    ")}`,
    );
  }
  console.log(`seed ${seed}: ${tried} cases tried, ${failures} failures`);
  return failures === 0 ? 0 : 1;
}
