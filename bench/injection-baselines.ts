import type { IndexReader } from "../src/search/index/index-reader.ts";
import { search } from "../src/search/search.ts";
import type { Figure } from "./figure.ts";
import { FACT_TYPES, indexOf } from "./relevance-samples.ts";
import type { InjectionData, LabelledMemory, LabelledPrompt } from "./injection-data.ts";
import { grepIndex, plainBm25Index } from "./plain-bm25.ts";

/** What another way of choosing would tell on a prompt: memories with a score, best first. */
type Chooser = (prompt: string) => readonly { id: string; score: number }[];

/** So many memories a baseline tells at most on one prompt: as many as heed points at. */
const MOST = 3;

/** The ways of choosing that heed is compared with, for one store. */
interface Baselines {
  /** BM25 over the whole text as one field, stemmed, without function words. */
  plainBm25: Chooser;
  /** heed's own ranking with nothing but its score to decide by. */
  bm25f: Chooser;
  /** The memories in which most of the prompt's words of four letters or more occur as they are written. */
  grep: Chooser;
}

/** Makes the baselines of a store. */
function baselinesOf(memories: readonly LabelledMemory[]): Baselines {
  const facts = memories.filter(({ type }) => type !== "feedback").map(({ id, text }) => ({ id, text }));
  const [plain, grep] = [plainBm25Index(facts), grepIndex(facts)];
  const reader: IndexReader = indexOf(memories);
  return {
    plainBm25: (prompt) => plain(prompt, MOST),
    bm25f: (prompt) =>
      search([reader], { text: prompt, syntax: "prompt", limit: MOST, types: FACT_TYPES }).hits.map(
        ({ metadata, score }) => ({ id: metadata.id, score }),
      ),
    grep: (prompt) => grep(prompt, MOST),
  };
}

/** A prompt with what a baseline chose for it. */
interface Chosen {
  label: LabelledPrompt;
  choice: ReturnType<Chooser>;
}

/** Asks one baseline of each store for each labelled prompt. */
export function chooseAll(data: InjectionData, which: keyof Baselines): Chosen[] {
  const storeIds = [...new Set(data.prompts.map(({ storeId }) => storeId))];
  return storeIds.flatMap((storeId) => {
    const choose = baselinesOf(data.memories.filter((memory) => memory.storeId === storeId))[which];
    return data.prompts
      .filter((label) => label.storeId === storeId)
      .map((label) => ({ label, choice: choose(label.prompt) }));
  });
}

/** The share of memories that must be told (grade 2) which are chosen with at least a score. */
export function recallAt(chosen: readonly Chosen[], threshold: number): number {
  let wanted = 0;
  let injected = 0;
  for (const { label, choice } of chosen) {
    for (const { memoryId, grade } of label.relevant) {
      if (grade !== 2) continue;
      wanted += 1;
      if (choice.some(({ id, score }) => id === memoryId && score >= threshold)) injected += 1;
    }
  }
  return wanted === 0 ? Number.NaN : injected / wanted;
}

/** The share of the prompts that need nothing for which something is chosen with at least a score. */
function falseRateAt(chosen: readonly Chosen[], threshold: number): number {
  const negatives = chosen.filter(({ label }) => label.relevant.length === 0);
  const injected = negatives.filter(({ choice }) => choice.some(({ score }) => score >= threshold));
  return negatives.length === 0 ? Number.NaN : injected.length / negatives.length;
}

/** The lowest score at which the false rate is at most `rate`: chosen on the very prompts it is then measured on. */
export function thresholdFor(chosen: readonly Chosen[], rate: number): number {
  const highest = chosen
    .filter(({ label }) => label.relevant.length === 0)
    .map(({ choice }) => choice[0]?.score ?? 0)
    .sort((a, b) => b - a);
  return (highest[Math.floor(rate * highest.length + 1e-9)] ?? 0) + 1e-9;
}

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
