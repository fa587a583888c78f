import { parseArgs } from "node:util";
import { BODY_EVIDENCE, HEAD_FLOOR, POINTER_EVIDENCE } from "../src/recall/relevance-model.ts";
import type { Figure } from "./figure.ts";
import { readInjectionData } from "./injection-data.ts";
import type { Sample, SampleHit } from "./relevance-samples.ts";
import { samplesOf } from "./relevance-samples.ts";
import { exactInterval } from "./statistics.ts";

/** Evidence at which the curve is printed, beside the two thresholds in force. */
const CURVE = [0.6, 0.8, 0.9, 1, 1.2, 1.4, 1.7];

/**
 * What the relevance model's two thresholds are worth, over all prompts of the data and by store: `--data DIR` as for the
 * bench `inject`. There is nothing to fit: the evidence has no weights, and a threshold is read off this curve.
 */
export async function run(args: string[]): Promise<Figure[]> {
  const { values } = parseArgs({ args, options: { data: { type: "string" }, turns: { type: "string" } } });
  if (values.data === undefined)
    throw new Error("give --data DIR, a folder with memories.jsonl and labels.jsonl");
  const { labelled, turns } = samplesOf(readInjectionData(values.data, values.turns));
  const storeIds = [...new Set(labelled.map(({ storeId }) => storeId))];
  return [
    ...CURVE.flatMap((threshold) => figuresAt(`at_${threshold}`, labelled, threshold)),
    ...figuresAt("body", labelled, BODY_EVIDENCE),
    ...figuresAt("any", labelled, POINTER_EVIDENCE),
    ...storeIds.flatMap((storeId) =>
      figuresAt(
        `body ${storeId}`,
        labelled.filter((sample) => sample.storeId === storeId),
        BODY_EVIDENCE,
      ),
    ),
    rate(
      "turn_body_rate",
      turns.map((turn) => isTold(turn, BODY_EVIDENCE)),
    ),
  ];
}

const evidenceOf = ({ signals }: SampleHit): number =>
  signals.likelihood * (HEAD_FLOOR + signals.headCoverage);

/** From the body's threshold on long prompts are left out, as they are told nothing whole. */
const isTold = ({ hits, isLong }: Sample, threshold: number): boolean =>
  !(isLong && threshold >= BODY_EVIDENCE) && hits.some((hit) => evidenceOf(hit) >= threshold);

function figuresAt(name: string, samples: readonly Sample[], threshold: number): Figure[] {
  const wanted = samples.flatMap((sample) =>
    (sample.label?.relevant ?? [])
      .filter(({ grade }) => grade === 2)
      .map(({ memoryId }) =>
        isTold({ ...sample, hits: sample.hits.filter((hit) => hit.memoryId === memoryId) }, threshold),
      ),
  );
  const negatives = samples.filter(({ label }) => label?.relevant.length === 0);
  return [
    rate(`recall_${name}`, wanted),
    rate(
      `false_${name}`,
      negatives.map((sample) => isTold(sample, threshold)),
    ),
  ];
}

function rate(name: string, outcomes: readonly boolean[]): Figure {
  const n = outcomes.length;
  const count = outcomes.filter(Boolean).length;
  return { name, value: n === 0 ? null : count / n, unit: "rate", n, ci95: exactInterval(count, n) };
}
