import { seededRandom } from "./corpus.ts";
import type { Figure } from "./figure.ts";

/** Successes out of trials. */
export interface Tally {
  successes: number;
  trials: number;
}

const RESAMPLES = 2000;
const SEED = 20_260_305;

/**
 * The 95 % percentile interval of a pooled rate when whole groups (stores, conversations, projects) are drawn again:
 * prompts of one store are alike, and an interval over prompts would be too narrow. Undefined for fewer than two groups
 * with trials, about which nothing can be said so.
 */
export function bootstrapInterval(groups: readonly Tally[]): [number, number] | undefined {
  return bootstrapOf(groups, (sample) => {
    const trials = sum(sample, ({ trials: count }) => count);
    return trials === 0 ? undefined : sum(sample, ({ successes }) => successes) / trials;
  });
}

/** The outcomes of samples, counted by the group that each belongs to. */
export function tallyBy<T>(
  samples: readonly T[],
  groupOf: (sample: T) => string,
  outcomesOf: (sample: T) => readonly boolean[],
): Tally[] {
  const tallies = new Map<string, Tally>();
  for (const sample of samples) {
    const group = groupOf(sample);
    const { successes, trials } = tallies.get(group) ?? { successes: 0, trials: 0 };
    const outcomes = outcomesOf(sample);
    tallies.set(group, {
      successes: successes + outcomes.filter(Boolean).length,
      trials: trials + outcomes.length,
    });
  }
  return [...tallies.values()];
}

/** The pooled rate of groups, with its interval; null without trials. */
export function pooledRate(name: string, groups: readonly Tally[]): Figure {
  const n = sum(groups, ({ trials }) => trials);
  const ci95 = n === 0 ? undefined : bootstrapInterval(groups);
  const value = n === 0 ? null : sum(groups, ({ successes }) => successes) / n;
  return { name, value, unit: "rate", n, ...(ci95 && { ci95 }) };
}

/** The same for any statistic of the groups; draws for which it is undefined are left out. */
export function bootstrapOf<T>(
  groups: readonly T[],
  statistic: (sample: readonly T[]) => number | undefined,
): [number, number] | undefined {
  if (groups.length < 2) return undefined;
  const random = seededRandom(SEED);
  const values: number[] = [];
  for (let i = 0; i < RESAMPLES; i++) {
    const sample = groups.map(() => groups[Math.floor(random() * groups.length)]!);
    const value = statistic(sample);
    if (value !== undefined) values.push(value);
  }
  values.sort((a, b) => a - b);
  if (values.length === 0) return undefined;
  const at = (share: number): number =>
    values[Math.min(values.length - 1, Math.floor(share * values.length))]!;
  return [at(0.025), at(0.975)];
}

function sum<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((total, value) => total + of(value), 0);
}
