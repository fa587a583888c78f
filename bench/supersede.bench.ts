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
import { exactInterval } from "./statistics.ts";
import { KINDS, statementPairs, supersedePairs } from "./supersede-pairs.ts";

/** What came of one pair. */
interface Outcome {
  pair: FactPair;
  /** The current version is told, and before the old one if that is told at all. */
  isCurrentFirst: boolean;
  /** The old version is told, and nothing says that it is old. */
  isStaleUnmarked: boolean;
  /** One of the two is told as older than the other. */
  isMarkedAtAll: boolean;
  areBothTold: boolean;
  /** Something is told as older than a memory that it is not a version of. */
  isMarkedForAnother: boolean;
  /** Plain BM25 over the files puts the current version first. */
  isFirstByBm25: boolean;
}

/**
 * Facts that changed, each stored in its old and its new wording, and a question about each: is the current version told
 * first, and is the old one withheld or marked? Pairs are generated; the old version is marked `superseded`, or only
 * linked to by the new one, or known as old by nothing but its date, the new one in the same or in other words. Pairs
 * written by hand come beside: facts told again, and facts that look alike and are two. Intervals by bootstrap over the subjects.
 */
export async function run(): Promise<Figure[]> {
  const all = await replay([...supersedePairs(), ...statementPairs()]);
  const ofKind = (kind: string): Outcome[] => all.filter(({ pair }) => pair.kind === kind);
  const outcomes = KINDS.flatMap((kind) => ofKind(kind));
  const lookalikes = ofKind("lookalike");
  return [
    ...figuresOf("", outcomes),
    ...KINDS.flatMap((kind) => figuresOf(` ${kind}`, ofKind(kind))),
    ...figuresOf(" retold", ofKind("retold")),
    rate("lookalike_marked", lookalikes, ({ isMarkedAtAll }) => isMarkedAtAll),
    rate("lookalike_both_told", lookalikes, ({ areBothTold }) => areBothTold),
    rate("marked_for_another", all, ({ isMarkedForAnother }) => isMarkedForAnother),
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
    await heed.setup.init("user");
    for (const { current, stale } of pairs)
      for (const { name, text } of [current, stale]) writeFileSync(join(home, "memory", `${name}.md`), text);
    await heed.upkeep.reindex();
    const order = baselineOrder(pairs);
    const currentOf = new Map(
      pairs
        .filter(({ kind }) => kind !== "lookalike")
        .map(({ stale, current }) => [stale.name, current.name]),
    );
    const outcomes: Outcome[] = [];
    for (const pair of pairs) {
      const { receipt, context } = await heed.session.why({ prompt: pair.question });
      const told = receipt.decisions.filter(({ form }) => form !== "none");
      outcomes.push({
        pair,
        isCurrentFirst: isBefore(told, pair.current.name, pair.stale.name),
        isStaleUnmarked:
          told.some(({ name }) => name === pair.stale.name) && !isMarked(context, pair.stale.name),
        isMarkedAtAll: [pair.stale, pair.current].some(({ name }) => isMarked(context, name)),
        areBothTold: [pair.stale, pair.current].every((version) =>
          told.some(({ name }) => name === version.name),
        ),
        isMarkedForAnother: marksIn(context).some(([older, newer]) => currentOf.get(older) !== newer),
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

/** Which memory is told as older than which. */
function marksIn(context: string): [older: string, newer: string][] {
  return [...context.matchAll(/^\[heed:([\w-]+)\].*older than heed:([\w-]+)/gm)].map(([, older, newer]) => [
    older as string,
    newer as string,
  ]);
}

function rate(name: string, outcomes: readonly Outcome[], is: (outcome: Outcome) => boolean): Figure {
  const count = outcomes.filter(is).length;
  const n = outcomes.length;
  return { name, value: count / n, unit: "rate", n, ci95: exactInterval(count, n) };
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
