import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { RelevanceSignals } from "../src/recall/relevance-signals.ts";
import type { Figure } from "./figure.ts";
import { samplesOf } from "./relevance-samples.ts";
import type { Sample, SampleHit } from "./relevance-samples.ts";
import { readInjectionData } from "./injection-data.ts";
import { samplesAtSize, SIZES } from "./store-sizes.ts";
import { fitLogistic } from "./logistic-regression.ts";
import type { LogisticModel, Observation } from "./logistic-regression.ts";
import { exactInterval } from "./statistics.ts";

/** The signals that are fitted. `trigger` is not: stores of other tools have no triggers. */
const FITTED: readonly (keyof RelevanceSignals)[] = [
  "likelihood",
  "headCoverage",
  "named",
  "neighbours",
  "lone",
  "clutter",
  "crowd",
];
/** Set by hand: a whole cue moves a memory from silence to a pointer. */
const TRIGGER_WEIGHT = 1;
/** Set by hand: no labelled store has solutions. One that is told for its words alone needs more of them. */
const CUELESS_WEIGHT = -1;
const RIDGE = 1;
/** A memory that would help (grade 1) counts as this much of one that must be told. */
const HELPFUL = 0.6;
/** An unlabelled turn of another project counts as this much of a labelled prompt that needs nothing. */
const TURN_WEIGHT = 0.3;
/** A labelled prompt in its store cut down or united with others counts as this much of the prompt in its own store. */
const RESIZED_WEIGHT = 0.3;
/** Shares of the prompts that need nothing at which the curve is printed. */
const CURVE = [0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2];

/**
 * Fits the relevance model to labelled prompts and prints what it is worth with each store left out in turn:
 * `--data DIR` as for the bench `inject`, `--write` to replace src/recall/relevance-weights.ts, `--body` and `--pointer`
 * the shares of prompts that need nothing at which a memory may be told whole or pointed at.
 */
export async function run(args: string[]): Promise<Figure[]> {
  const { values } = parseArgs({
    args,
    options: {
      data: { type: "string" },
      turns: { type: "string" },
      write: { type: "boolean", default: false },
      body: { type: "string", default: "0.02" },
      pointer: { type: "string", default: "0.09" },
    },
  });
  if (values.data === undefined)
    throw new Error("give --data DIR, a folder with memories.jsonl and labels.jsonl");
  const data = readInjectionData(values.data, values.turns);
  const { labelled, turns } = samplesOf(data);
  const resized = SIZES.flatMap((size) => samplesAtSize(data, size));
  const observed = [
    ...labelled.map((sample) => ({ sample, weight: 1 })),
    ...turns.map((sample) => ({ sample, weight: TURN_WEIGHT })),
    ...resized.map((sample) => ({ sample, weight: RESIZED_WEIGHT })),
  ];
  const scored = leaveOneStoreOut(observed, labelled, turns);
  const model = fit(observed);
  const inSample = scoredBy(() => model, labelled, turns);
  // The stricter of the two: a store's own prompts may look more like its memories to a model that has seen them.
  const thresholdAt = (share: string): number =>
    Math.max(scored.thresholdAt(Number(share)), inSample.thresholdAt(Number(share)));
  const thresholds = { body: thresholdAt(values.body), pointer: thresholdAt(values.pointer) };
  if (values.write) writeFileSync("src/recall/relevance-weights.ts", sourceOf(model, thresholds));
  return [
    ...CURVE.map((share) => scored.recallFigure(`recall_at_${share}`, scored.thresholdAt(share))),
    ...scored.byStore("recall_body", thresholds.body),
    ...scored.byStore("recall", thresholds.pointer),
    ...scored.byStore("false_body", thresholds.body, true),
    ...scored.byStore("false_pointer", thresholds.pointer, true),
    ...CURVE.map((share) =>
      inSample.recallFigure(`in_sample_recall_at_${share}`, inSample.thresholdAt(share)),
    ),
    inSample.recallFigure("in_sample_recall_body", thresholds.body),
    inSample.recallFigure("in_sample_recall", thresholds.pointer),
    scored.turnFigure("turn_body_rate", thresholds.body),
    scored.turnFigure("turn_pointer_rate", thresholds.pointer),
  ];
}

const featuresOf = ({ signals }: SampleHit): number[] => FITTED.map((name) => signals[name]);

/** A sample and how much each of its hits counts. */
interface Observed {
  sample: Sample;
  weight: number;
}

function fit(observed: readonly Observed[]): LogisticModel {
  const observations = observed.flatMap(({ sample, weight }) =>
    sample.hits.map((hit): Observation => ({
      features: featuresOf(hit),
      outcome: hit.grade === 2 ? 1 : hit.grade === 1 ? HELPFUL : 0,
      weight,
    })),
  );
  return fitLogistic(observations, RIDGE);
}

function logOdds(model: LogisticModel, hit: SampleHit): number {
  return featuresOf(hit).reduce((sum, value, i) => sum + value * model.weights[i]!, model.bias);
}

/** Samples with the log-odds that a model gave their hits which never saw their store. */
class Scored {
  readonly #labelled: { sample: Sample; odds: number[] }[];
  readonly #turns: number[];
  readonly #negatives: number[];

  constructor(labelled: { sample: Sample; odds: number[] }[], turns: number[]) {
    this.#labelled = labelled;
    this.#turns = turns;
    this.#negatives = labelled
      .filter(({ sample }) => sample.label?.relevant.length === 0)
      .map(({ odds }) => highest(odds))
      .sort((a, b) => b - a);
  }

  /** The lowest log-odds at which at most this share of the prompts that need nothing is given something. */
  thresholdAt(share: number): number {
    const place = Math.floor(share * this.#negatives.length);
    const [above, below] = [this.#negatives[place - 1], this.#negatives[place] ?? 0];
    return above === undefined ? below + 0.1 : (above + below) / 2;
  }

  recallFigure(name: string, threshold: number, storeId?: string): Figure {
    const told = this.#labelled
      .filter(({ sample }) => storeId === undefined || sample.storeId === storeId)
      .flatMap(({ sample, odds }) =>
        (sample.label?.relevant ?? [])
          .filter(({ grade }) => grade === 2)
          .map(({ memoryId }) => {
            const place = sample.hits.findIndex((hit) => hit.memoryId === memoryId);
            return place >= 0 && odds[place]! >= threshold;
          }),
      );
    return rate(name, told);
  }

  byStore(name: string, threshold: number, ofNegatives = false): Figure[] {
    const storeIds = [undefined, ...new Set(this.#labelled.map(({ sample }) => sample.storeId))];
    return storeIds.map((storeId) => {
      const full = storeId === undefined ? name : `${name} ${storeId}`;
      if (!ofNegatives) return this.recallFigure(full, threshold, storeId);
      const negatives = this.#labelled.filter(
        ({ sample }) =>
          sample.label?.relevant.length === 0 && (storeId === undefined || sample.storeId === storeId),
      );
      return rate(
        full,
        negatives.map(({ odds }) => highest(odds) >= threshold),
      );
    });
  }

  turnFigure(name: string, threshold: number): Figure {
    return rate(
      name,
      this.#turns.map((odds) => odds >= threshold),
    );
  }
}

const highest = (odds: readonly number[]): number => Math.max(-99, ...odds);

function rate(name: string, outcomes: readonly boolean[]): Figure {
  const n = outcomes.length;
  const count = outcomes.filter(Boolean).length;
  return { name, value: n === 0 ? null : count / n, unit: "rate", n, ci95: exactInterval(count, n) };
}

function leaveOneStoreOut(
  observed: readonly Observed[],
  labelled: readonly Sample[],
  turns: readonly Sample[],
): Scored {
  const models = new Map(
    [...new Set(labelled.map(({ storeId }) => storeId))].map((storeId) => [
      storeId,
      fit(observed.filter(({ sample }) => sample.storeId !== storeId)),
    ]),
  );
  return scoredBy((storeId) => models.get(storeId)!, labelled, turns);
}

function scoredBy(
  modelOf: (storeId: string) => LogisticModel,
  labelled: readonly Sample[],
  turns: readonly Sample[],
): Scored {
  const oddsOf = ({ storeId, hits }: Sample): number[] => hits.map((hit) => logOdds(modelOf(storeId), hit));
  return new Scored(
    labelled.map((sample) => ({ sample, odds: oddsOf(sample) })),
    turns.map((sample) => highest(oddsOf(sample))),
  );
}

function sourceOf(model: LogisticModel, thresholds: { body: number; pointer: number }): string {
  const weights = FITTED.map((name, i) => `  ${name}: ${round(model.weights[i]!)},`);
  const probability = (odds: number): number => round(1 / (1 + Math.exp(-odds)));
  return `import type { RelevanceSignals } from "./relevance-signals.ts";

/**
 * The relevance model's constants: a logistic regression over the signals, written by
 * \`npm run bench -- fit-relevance --data DIR --write\`, which prints what it is worth on stores that it was not fitted to.
 * The weights of \`trigger\` and \`cueless\` are set by hand.
 */
export const RELEVANCE_WEIGHTS: Readonly<Record<keyof RelevanceSignals, number>> = {
${weights.join("\n")}
  trigger: ${TRIGGER_WEIGHT},
  cueless: ${CUELESS_WEIGHT},
};
export const RELEVANCE_BIAS: number = ${round(model.bias)};

/** From this probability on a memory is told whole. */
export const BODY_THRESHOLD: number = ${probability(thresholds.body)};
/** From this probability on it is pointed at. */
export const POINTER_THRESHOLD: number = ${probability(thresholds.pointer)};
`;
}

const round = (value: number): number => Number(value.toFixed(4));
