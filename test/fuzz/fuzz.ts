import { SeededRandom } from "../../bench/seeded-random.ts";
import type { FuzzTarget } from "./fuzz-target.ts";
import { mutate } from "./mutate.ts";

/** A case that broke something, as small as it could be made. */
export interface FuzzFailure {
  target: string;
  input: string;
  why: string;
}

/** What was tried of one target. */
export interface FuzzFigure {
  target: string;
  cases: number;
  /** The most CPU that one case took, in milliseconds. */
  slowestMs: number;
  failures: FuzzFailure[];
}

/** A target with this many different failures is broken: more of them say no more. */
const MAX_FAILURES = 5;
const MAX_SHRINKS = 300;
/** Making a case small ends after this time, in milliseconds: a slow case takes it for each try. */
const MAX_SHRINK_MS = 5_000;

/** Tries a target for a time, or for a number of cases; with the same seed it tries the same cases in the same order. */
export async function fuzz(
  target: FuzzTarget,
  corpus: readonly string[],
  { seed, untilMs = Infinity, maxCases = Infinity }: { seed: number; untilMs?: number; maxCases?: number },
): Promise<FuzzFigure> {
  const random = new SeededRandom(seed);
  const pool = [...target.seeds, ...corpus];
  const figure: FuzzFigure = { target: target.name, cases: 0, slowestMs: 0, failures: [] };
  while (figure.cases < maxCases && performance.now() < untilMs && figure.failures.length < MAX_FAILURES) {
    const input = pool[figure.cases] ?? target.make?.(random) ?? mutate(random, pool, target.words);
    const before = process.cpuUsage();
    const why = await whyFailed(target, input);
    figure.cases += 1;
    figure.slowestMs = Math.max(figure.slowestMs, cpuMsSince(before));
    if (why === undefined) continue;
    const small = target.make ? input : await shrink(target, input, why);
    if (!figure.failures.some((known) => kindOf(known.why) === kindOf(why)))
      figure.failures.push({ target: target.name, input: small, why });
  }
  return figure;
}

/** CPU that this process took, in milliseconds: a clock would also count what else the machine does. */
function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Why a case fails, or undefined. Slowness is tried again: code may have been compiled. */
export async function whyFailed(target: FuzzTarget, input: string): Promise<string | undefined> {
  const maxMs = target.maxMs ?? 2_000;
  for (let attempt = 1; ; attempt++) {
    const before = process.cpuUsage();
    try {
      await target.check(input);
    } catch (error) {
      return error instanceof Error
        ? `${error.name}: ${error.message}\n${(error.stack ?? "").split("\n")[1] ?? ""}`
        : String(error);
    }
    const tookMs = cpuMsSince(before);
    if (tookMs <= maxMs) return undefined;
    if (attempt === 3) return `took ${Math.round(tookMs)} ms of CPU, ${maxMs} at most`;
  }
}

/** Takes pieces out as long as it fails in the same way. */
async function shrink(target: FuzzTarget, input: string, why: string): Promise<string> {
  let text = input;
  let tries = 0;
  const untilMs = performance.now() + MAX_SHRINK_MS;
  for (let size = Math.ceil(text.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < text.length && tries < MAX_SHRINKS && performance.now() < untilMs;) {
      const less = text.slice(0, at) + text.slice(at + size);
      tries += 1;
      const found = await whyFailed(target, less);
      if (found !== undefined && kindOf(found) === kindOf(why)) text = less;
      else at += size;
    }
  }
  return text;
}

const kindOf = (why: string): string => why.split("\n")[0]?.replace(/\d+/g, "N").slice(0, 60) ?? "";
