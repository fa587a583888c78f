import { basename } from "node:path";
import { parseArgs } from "node:util";
import { BODY_EVIDENCE, evidenceOf, tellsWhole } from "../src/search/relevance-signals.ts";
import { pooledRate, tallyBy } from "./bootstrap.ts";
import { type Figure, figure, rateFigure } from "./figure.ts";
import { readInjectionData } from "./injection-data.ts";
import { type Sample, samplesOf } from "./relevance-samples.ts";

/**
 * At most this share of the prompts that need nothing, typed in a store's own project, is to be injected as a body: a quarter below
 * the 3 % that are promised, as it is more where nothing was chosen.
 */
const AIM = 0.0225;
/** Evidence at which the curve is printed, beside the threshold in force. */
const CURVE = [0.8, 0.9, 1, 1.1, 1.2, 1.4, 1.7];

/** A labelled prompt with the owner of its store and the data that it is of. */
interface Weighed extends Sample {
  owner: string;
  data: string;
}

/**
 * What the relevance model's threshold of a body is worth. `--data DIR` as for the bench `inject`, once for each set of data.
 *
 * - `chosen_threshold`: the least evidence at which at most 2.25 % of the prompts that need nothing, typed in the stores' own
 *   projects, are injected as a body; `held_out_*` what comes of it on the prompts of each owner when it is chosen on those of all
 *   others. Intervals by bootstrap over owners.
 * - `false_body_rate`, `body_recall` and the curve: the threshold in force on everything, which is what it was chosen on.
 */
export async function run(args: string[]): Promise<Figure[]> {
  const { values } = parseArgs({
    args,
    options: { data: { type: "string", multiple: true }, turns: { type: "string" } },
  });
  if (values.data === undefined)
    throw new Error(
      "give --data DIR, a folder with memories.jsonl and labels.jsonl; more than once for more",
    );
  const turns: Sample[] = [];
  const weighed = values.data.flatMap((folder) => {
    const samples = samplesOf(readInjectionData(folder, values.turns));
    turns.push(...samples.turns);
    return samples.labelled.map((sample): Weighed => ({
      ...sample,
      owner: sample.storeId.split("/")[0] as string,
      data: basename(folder),
    }));
  });
  const owners = [...new Set(weighed.map(({ owner }) => owner))].sort();
  const leftOut = new Map(
    owners.map((owner) => [owner, thresholdOn(weighed.filter((sample) => sample.owner !== owner))]),
  );
  return [
    figure("chosen_threshold", thresholdOn(weighed), "evidence", owners.length),
    ...figuresOf("held_out_", weighed, ({ owner }) => leftOut.get(owner) as number),
    ...figuresOf("", weighed, () => BODY_EVIDENCE),
    turnRate(turns),
    ...CURVE.flatMap((evidence) => figuresOf(`at_${evidence} `, weighed, () => evidence)),
    ...owners.flatMap((owner) =>
      figuresOf(
        `held_out ${owner} `,
        weighed.filter((sample) => sample.owner === owner),
        () => leftOut.get(owner) as number,
      ),
    ),
  ];
}

const isSilent = ({ label }: Sample): boolean => label?.relevant.length === 0;
const isOwn = ({ label }: Sample): boolean => label?.isNatural === true;
/** The threshold up to which one of the hits would be injected whole. */
const mostOf = ({ hits }: Sample): number =>
  Math.max(0, ...hits.map(({ signals }) => (signals.isOneWord ? 0 : evidenceOf(signals))));

/** The least evidence that no more of the prompts that need nothing reach than is the aim: midway to the next that do. */
function thresholdOn(samples: readonly Sample[]): number {
  const most = samples
    .filter((sample) => isSilent(sample) && isOwn(sample))
    .map(mostOf)
    .sort((a, b) => b - a);
  const injected = Math.floor(AIM * most.length);
  return ((most[injected] ?? 0) + (most[injected - 1] ?? most[injected] ?? 0)) / 2;
}

function figuresOf(
  prefix: string,
  samples: readonly Weighed[],
  thresholdFor: (sample: Weighed) => number,
): Figure[] {
  const isInjected = (sample: Weighed): boolean[] => [mostOf(sample) >= thresholdFor(sample)];
  const silent = samples.filter(isSilent);
  return [
    rate(`${prefix}false_body_rate_own_project`, silent.filter(isOwn), isInjected),
    rate(
      `${prefix}false_body_rate_elsewhere`,
      silent.filter((sample) => !isOwn(sample)),
      isInjected,
    ),
    ...[...new Set(samples.map(({ data }) => data))].map((data) =>
      rate(
        `${prefix}body_recall ${data}`,
        samples.filter((sample) => sample.data === data),
        (sample) =>
          (sample.label?.relevant ?? [])
            .filter(({ grade }) => grade === 2)
            .map(({ memoryId }) =>
              sample.hits.some(
                (hit) => hit.memoryId === memoryId && tellsWhole(hit.signals, thresholdFor(sample)),
              ),
            ),
      ),
    ),
  ];
}

/** Share of the outcomes of samples that are so, with its interval over owners. */
function rate(
  name: string,
  samples: readonly Weighed[],
  outcomesOf: (sample: Weighed) => readonly boolean[],
): Figure {
  return pooledRate(
    name,
    tallyBy(samples, ({ owner }) => owner, outcomesOf),
  );
}

function turnRate(turns: readonly Sample[]): Figure {
  const injected = turns.filter((turn) => mostOf(turn) >= BODY_EVIDENCE).length;
  return rateFigure("turn_body_rate", injected, turns.length);
}
