import type { Figure } from "./figure.ts";
import type { Baselines } from "./injection-baselines.ts";
import { chooseAll, falseRateAt, recallAt, thresholdFor } from "./injection-baselines.ts";
import type { InjectionData } from "./injection-data.ts";

/** False rates at which a score alone is asked what it recalls. */
const RATES = [0.02, 0.1];

/**
 * What other ways reach on the same prompts: telling always or never, and what a score alone recalls when its threshold
 * is set, on these very prompts, to be wrong as rarely as heed's relevance model has to be.
 */
export function baselineFigures(data: InjectionData): Figure[] {
  const always = chooseAll(data, "plainBm25");
  const n = data.prompts.flatMap(({ relevant }) => relevant.filter(({ grade }) => grade === 2)).length;
  const negatives = data.prompts.filter(({ relevant }) => relevant.length === 0).length;
  const ways: (keyof Baselines)[] = ["plainBm25", "bm25f", "grep"];
  return [
    figure("always_recall", recallAt(always, 0), n, "the three best by plain BM25, on every prompt"),
    figure("always_false_rate", falseRateAt(always, 0), negatives),
    figure("never_recall", 0, n),
    figure("never_false_rate", 0, negatives),
    ...ways.flatMap((way) => {
      const chosen = chooseAll(data, way);
      return RATES.map((rate) =>
        figure(
          `${NAMES[way]}_recall_at_${rate}`,
          recallAt(chosen, thresholdFor(chosen, rate)),
          n,
          `false on ${rate * 100} %`,
        ),
      );
    }),
  ];
}

const NAMES: Readonly<Record<keyof Baselines, string>> = { plainBm25: "bm25", bm25f: "bm25f", grep: "grep" };

/** Recall of a score alone at each threshold, as points of false rate and recall. */
export function curveOfBaseline(data: InjectionData, which: keyof Baselines): [number, number][] {
  const chosen = chooseAll(data, which);
  const thresholds = new Set(
    chosen.filter(({ label }) => label.relevant.length === 0).map(({ choice }) => choice[0]?.score ?? 0),
  );
  return [...thresholds]
    .sort((a, b) => b - a)
    .map((threshold) => [falseRateAt(chosen, threshold), recallAt(chosen, threshold)]);
}

function figure(name: string, value: number, n: number, note?: string): Figure {
  return {
    name,
    value: Number.isNaN(value) ? null : value,
    unit: "rate",
    n,
    ...(note !== undefined && { note }),
  };
}
