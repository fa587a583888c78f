import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Decision } from "../src/heed.ts";
import { openHeed } from "../src/heed.ts";
import { bootstrapInterval } from "./bootstrap.ts";
import type { Tally } from "./bootstrap.ts";
import type { Figure } from "./figure.ts";
import { baselineOrder } from "./supersede-baseline.ts";
import type { FactPair } from "./supersede-pairs.ts";
import { KINDS, supersedePairs } from "./supersede-pairs.ts";

/** What came of one pair. */
interface Outcome {
  pair: FactPair;
  /** The current version is told, and before the old one if that is told at all. */
  isCurrentFirst: boolean;
  /** The old version is told, and nothing says that it is old. */
  isStaleUnmarked: boolean;
  /** Plain BM25 over the files puts the current version first. */
  isFirstByBm25: boolean;
}

/**
 * Facts that changed, each stored in its old and its new wording, and a question about each: is the current version told
 * first, and is the old one withheld or marked? Pairs are generated; the old version is marked `superseded`, or only
 * linked to by the new one, or known as old by nothing but its date, the new one in the same or in other words. Intervals by bootstrap over the subjects.
 */
export async function run(): Promise<Figure[]> {
  const outcomes = await replay(supersedePairs());
  return [
    ...figuresOf("", outcomes),
    ...KINDS.flatMap((kind) =>
      figuresOf(
        ` ${kind}`,
        outcomes.filter(({ pair }) => pair.kind === kind),
      ),
    ),
  ];
}

async function replay(pairs: readonly FactPair[]): Promise<Outcome[]> {
  const home = mkdtempSync(join(tmpdir(), "heed-supersede-"));
  const project = join(home, "project");
  mkdirSync(project);
  const heed = openHeed({
    cwd: project,
    env: { HOME: home, HEED_DIR: join(home, "memory"), PATH: process.env["PATH"] },
  });
  try {
    await heed.init("user");
    for (const { current, stale } of pairs)
      for (const { name, text } of [current, stale]) writeFileSync(join(home, "memory", `${name}.md`), text);
    await heed.reindex();
    const order = baselineOrder(pairs);
    const outcomes: Outcome[] = [];
    for (const pair of pairs) {
      const { receipt, context } = await heed.why({ prompt: pair.question });
      const told = receipt.decisions.filter(({ form }) => form !== "none");
      outcomes.push({
        pair,
        isCurrentFirst: isBefore(told, pair.current.name, pair.stale.name),
        isStaleUnmarked:
          told.some(({ name }) => name === pair.stale.name) && !isMarked(context, pair.stale.name),
        isFirstByBm25: order(pair),
      });
    }
    return outcomes;
  } finally {
    await heed.close();
    rmSync(home, { recursive: true, force: true });
  }
}

function isBefore(told: readonly Decision[], first: string, second: string): boolean {
  const places = [first, second].map((wanted) => told.findIndex(({ name }) => name === wanted));
  const [at = -1, other = -1] = places;
  return at >= 0 && (other < 0 || at < other);
}

/** Whether the line that tells a memory says that it is not the last word. */
function isMarked(context: string, name: string): boolean {
  const line = context.split("\n").find((candidate) => candidate.startsWith(`[heed:${name}]`));
  return line !== undefined && /\b(?:superseded|older than)\b/.test(line);
}

function figuresOf(suffix: string, outcomes: readonly Outcome[]): Figure[] {
  const share = (name: string, is: (outcome: Outcome) => boolean, baseline?: number): Figure => {
    const tallies = new Map<string, Tally>();
    for (const outcome of outcomes) {
      const tally = tallies.get(outcome.pair.subject) ?? { successes: 0, trials: 0 };
      tally.trials += 1;
      if (is(outcome)) tally.successes += 1;
      tallies.set(outcome.pair.subject, tally);
    }
    const ci95 = bootstrapInterval([...tallies.values()]);
    return {
      name: `${name}${suffix}`,
      value: outcomes.filter(is).length / outcomes.length,
      unit: "rate",
      n: outcomes.length,
      ...(ci95 && { ci95 }),
      ...(baseline !== undefined && { baseline, note: "plain BM25 over the files, which marks nothing" }),
    };
  };
  const byBm25 = outcomes.filter(({ isFirstByBm25 }) => isFirstByBm25).length / outcomes.length;
  return [
    share("current_first", ({ isCurrentFirst }) => isCurrentFirst, byBm25),
    share("stale_unmarked", ({ isStaleUnmarked }) => isStaleUnmarked, 1),
  ];
}
