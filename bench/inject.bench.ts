import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { aliasFigures } from "./other-words.ts";
import { pooledRate, tallyBy } from "./bootstrap.ts";
import type { Tally } from "./bootstrap.ts";
import type { Figure } from "./figure.ts";
import {
  baselineFigures,
  chooseAll,
  curveOfBaseline,
  recallAt,
  thresholdFor,
} from "./injection-baselines.ts";
import type { InjectionData, LabelledPrompt } from "./injection-data.ts";
import { readInjectionData } from "./injection-data.ts";
import type { Injected } from "./replay.ts";
import { replayStore } from "./replay.ts";
import { storeSizeFigures } from "./store-sizes.ts";
import { upperBound } from "./statistics.ts";
import { svgPlot } from "./svg-plot.ts";

/** One replayed prompt with what it was given. */
interface Replay {
  label: LabelledPrompt;
  injected: Injected;
  /** The memories with a line in the map. */
  map: ReadonlySet<string>;
}

/** What came of all prompts. */
interface Replays {
  labelled: Replay[];
  /** Of each project that unlabelled turns were typed in: how many of them were given anything. */
  turns: Map<string, Tally>;
  rules: Tally;
  /** Characters of the map of each store. */
  maps: number[];
}

/**
 * Replays labelled prompts against the stores they were labelled for, and unlabelled turns against the stores in turn,
 * and counts: what should be told and was, what should not and was, and rules that reach the model. Intervals are by
 * bootstrap over stores; false rates also have an exact one-sided 95 % upper bound over prompts.
 *
 * `--data DIR`, `--turns FILE` (see readInjectionData), `--plot FILE` (default bench/out/inject.svg). `--aliases FILE`: only what
 * those aliases are worth to search.
 */
export async function run(args: string[]): Promise<Figure[]> {
  const { values } = parseArgs({
    args,
    options: {
      data: { type: "string" },
      turns: { type: "string" },
      aliases: { type: "string" },
      plot: { type: "string", default: "bench/out/inject.svg" },
    },
  });
  if (values.data === undefined)
    throw new Error("give --data DIR, a folder with memories.jsonl and labels.jsonl");
  const data = readInjectionData(values.data, values.turns);
  if (data.memories.length === 0) throw new Error(`no memories.jsonl in ${values.data}`);
  if (values.aliases !== undefined) return aliasFigures(data, values.aliases);
  const replays = await replayAll(data);
  const { labelled } = replays;
  const own = ownFigures(replays);
  const plain = chooseAll(data, "plainBm25");
  const plainBody = recallAt(plain, thresholdFor(plain, valueOf(own, "false_body_rate")));
  const plainAny = recallAt(plain, thresholdFor(plain, valueOf(own, "false_rate")));
  savePlot(values.plot, labelled, data);
  return [
    ...own.map((figure) => {
      if (figure.name === "recall")
        return { ...figure, baseline: plainAny, note: "plain BM25, as many false" };
      if (figure.name === "recall_body")
        return { ...figure, baseline: plainBody, note: "plain BM25, as many false" };
      return figure;
    }),
    ...baselineFigures(data),
    ...storeSizeFigures(data),
  ];
}

/** What came of one replay of everything. */
function ownFigures({ labelled, turns, rules, maps }: Replays): Figure[] {
  const natural = labelled.filter(({ label }) => label.isNatural);
  return [
    ...mapFigures(labelled, maps),
    ...recallFigures(labelled),
    ...falseRates("", labelled),
    precision(labelled),
    turnFigure(turns),
    pooledRate("rule_coverage", [rules]),
    recallOf("natural_recall", natural, () => true, isInjectedAtAll),
    recallOf("natural_recall_body", natural, () => true, isInjectedWhole),
    ...falseRates("natural_", natural),
  ];
}

async function replayAll(data: InjectionData): Promise<Replays> {
  const storeIds = [...new Set(data.memories.map((memory) => memory.storeId))].sort();
  const replays: Replays = {
    labelled: [],
    turns: new Map(),
    rules: { successes: 0, trials: 0 },
    maps: [],
  };
  for (const [i, storeId] of storeIds.entries()) {
    const own = data.memories.filter((memory) => memory.storeId === storeId);
    const store = await replayStore(own);
    try {
      const { rules: shown } = await store.opening();
      const map = await store.map();
      replays.maps.push(map.text.length);
      for (const label of data.prompts.filter((prompt) => prompt.storeId === storeId)) {
        const injected = without(await store.tell(label.prompt), label.excluded);
        replays.labelled.push({ label, injected, map: map.ids });
        replays.rules.trials += label.applies.length;
        replays.rules.successes += label.applies.filter((id) => shown.has(id)).length;
      }
      for (const { prompt, repo = "" } of data.turns.filter((_, n) => n % storeIds.length === i)) {
        const injected = await store.tell(prompt);
        const tally = replays.turns.get(repo) ?? { successes: 0, trials: 0 };
        tally.trials += 1;
        if (injected.bodies.size + injected.pointers.size > 0) tally.successes += 1;
        replays.turns.set(repo, tally);
      }
    } finally {
      await store.close();
    }
  }
  return replays;
}

const isInjectedWhole = (injected: Injected, id: string): boolean => injected.bodies.has(id);
const isInjectedAtAll = (injected: Injected, id: string): boolean =>
  injected.bodies.has(id) || injected.pointers.has(id);
const isNegative = ({ label }: Replay): boolean => label.relevant.length === 0;

function recallFigures(replays: readonly Replay[]): Figure[] {
  const types = new Set(replays.flatMap(({ label }) => label.relevant.map((item) => item.type)));
  return [
    recallOf("recall", replays, () => true, isInjectedAtAll),
    recallOf("recall_body", replays, () => true, isInjectedWhole),
    ...[...types]
      .sort()
      .flatMap((type) => [
        recallOf(`recall_${type}`, replays, (candidate) => candidate === type, isInjectedAtAll),
        recallOf(`recall_body_${type}`, replays, (candidate) => candidate === type, isInjectedWhole),
      ]),
  ];
}

/** What was not there yet when the prompt was typed is left out. */
function without(injected: Injected, excluded: readonly string[]): Injected {
  for (const id of excluded) {
    injected.bodies.delete(id);
    injected.pointers.delete(id);
    injected.probabilities.delete(id);
  }
  return injected;
}

/** What the map brings within reach, what it takes, and how many lines prompts add to it. */
function mapFigures(replays: readonly Replay[], maps: readonly number[]): Figure[] {
  const reach = tallyByStore(replays, ({ label, injected, map }) =>
    label.relevant
      .filter(({ grade }) => grade === 2)
      .map(({ memoryId }) => map.has(memoryId) || isInjectedAtAll(injected, memoryId)),
  );
  const lines = replays.reduce((sum, { injected }) => sum + injected.pointers.size, 0);
  const sorted = maps.toSorted((a, b) => a - b);
  return [
    pooledRate("map_reach", reach),
    {
      name: "map_characters",
      value: sorted[Math.floor(sorted.length / 2)] ?? null,
      unit: "characters",
      n: sorted.length,
    },
    {
      name: "lines_per_100_prompts",
      value: replays.length === 0 ? null : (100 * lines) / replays.length,
      unit: "lines",
      n: replays.length,
    },
  ];
}

/** Share of the memories that must be told (grade 2) and were. */
function recallOf(
  name: string,
  replays: readonly Replay[],
  ofType: (type: string) => boolean,
  isInjected: (injected: Injected, id: string) => boolean,
): Figure {
  const tallies = tallyByStore(replays, ({ label, injected }) =>
    label.relevant
      .filter(({ grade, type }) => grade === 2 && ofType(type))
      .map(({ memoryId }) => isInjected(injected, memoryId)),
  );
  return pooledRate(name, tallies);
}

/** Share of the prompts that need no fact and were given one, by form, with exact upper bounds. */
function falseRates(prefix: string, replays: readonly Replay[]): Figure[] {
  const negatives = replays.filter(isNegative);
  const forms: [string, (injected: Injected) => boolean][] = [
    ["false_body_rate", ({ bodies }) => bodies.size > 0],
    ["false_pointer_rate", ({ pointers }) => pointers.size > 0],
    ["false_rate", ({ bodies, pointers }) => bodies.size + pointers.size > 0],
  ];
  return forms.flatMap(([name, isGiven]) => {
    const tallies = tallyByStore(negatives, ({ injected }) => [isGiven(injected)]);
    const figure = pooledRate(`${prefix}${name}`, tallies);
    const count = Math.round((figure.value ?? 0) * figure.n);
    const bound: Figure = {
      name: `${prefix}${name}_upper95`,
      value: figure.n === 0 ? null : upperBound(count, figure.n),
      unit: "rate",
      n: figure.n,
    };
    return [figure, bound];
  });
}

/** Share of what was told that helps: relevant by the labels, grade 1 included. */
function precision(replays: readonly Replay[]): Figure {
  const tallies = tallyByStore(replays, ({ label, injected }) =>
    [...injected.bodies, ...injected.pointers].map((id) =>
      label.relevant.some(({ memoryId }) => memoryId === id),
    ),
  );
  return pooledRate("precision", tallies);
}

/** Share of the unlabelled turns that were given anything; drawn again by project. */
function turnFigure(turns: ReadonlyMap<string, Tally>): Figure {
  return pooledRate("turn_injection_rate", [...turns.values()]);
}

function tallyByStore(replays: readonly Replay[], outcomes: (replay: Replay) => readonly boolean[]): Tally[] {
  return tallyBy(replays, ({ label }) => label.storeId, outcomes);
}

function valueOf(figures: readonly Figure[], name: string): number {
  return figures.find((figure) => figure.name === name)?.value ?? 0;
}

/** Recall against false injections at every threshold of the relevance model, beside what a score alone reaches. */
function savePlot(file: string, replays: readonly Replay[], data: InjectionData): void {
  const highest = replays
    .filter(isNegative)
    .map(({ injected }) => Math.max(0, ...injected.probabilities.values()));
  const points = [...new Set(highest)]
    .sort((a, b) => b - a)
    .map((threshold): [number, number] => {
      const given = highest.filter((value) => value >= threshold).length / Math.max(1, highest.length);
      const recall = recallOf(
        "",
        replays,
        () => true,
        (injected, id) => (injected.probabilities.get(id) ?? 0) >= threshold,
      );
      return [given, recall.value ?? 0];
    });
  const point = (
    isInjected: (injected: Injected, id: string) => boolean,
    isGiven: (injected: Injected) => boolean,
  ): [number, number] => {
    const negatives = replays.filter(isNegative);
    return [
      negatives.filter(({ injected }) => isGiven(injected)).length / Math.max(1, negatives.length),
      recallOf("", replays, () => true, isInjected).value ?? 0,
    ];
  };
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    svgPlot({
      title: "Told what is needed, against told what is not",
      xLabel: "prompts that need nothing and are told something",
      yLabel: "memories that must be told and are",
      maxX: 0.5,
      lines: [
        { label: "heed", colour: "#1f6f5c", points },
        { label: "BM25F score alone", colour: "#b07d2b", points: curveOfBaseline(data, "bm25f") },
        { label: "plain BM25 score", colour: "#8a8a8a", points: curveOfBaseline(data, "plainBm25") },
      ],
      marks: [
        { label: "whole", colour: "#1f6f5c", at: point(isInjectedWhole, ({ bodies }) => bodies.size > 0) },
        {
          label: "whole or pointer",
          colour: "#1f6f5c",
          at: point(isInjectedAtAll, ({ bodies, pointers }) => bodies.size + pointers.size > 0),
        },
      ],
    }),
  );
}
