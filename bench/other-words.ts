import { readJsonLines } from "./json-lines.ts";
import type { Figure } from "./figure.ts";
import type { InjectionData, LabelledMemory } from "./injection-data.ts";
import { type Sample, samplesOf } from "./relevance-samples.ts";
import { type Tally, bootstrapOf, pooledRate } from "./bootstrap.ts";
import { tellsWhole } from "../src/search/relevance-signals.ts";

interface GivenAliases {
  memory_id: string;
  aliases: string[];
}

/** One memory that a prompt must be told of: its rank among what search finds for the prompt, from 1; 0 beyond the first ten. */
type Need = Pick<Sample, "storeId"> & { rank: number };

const MEASURES: Readonly<Record<string, (rank: number) => number>> = {
  "recall@1": (rank) => Number(rank === 1),
  "recall@3": (rank) => Number(rank >= 1 && rank <= 3),
  "recall@5": (rank) => Number(rank >= 1 && rank <= 5),
  mrr: (rank) => (rank === 0 ? 0 : 1 / rank),
};

/**
 * What `aliases` of memories are worth to search, over the stores that have any; the baseline is the same without them.
 * `file`: JSON lines of `{"memory_id", "aliases"}`. Intervals by bootstrap over stores.
 */
export function aliasFigures(data: InjectionData, file: string): Figure[] {
  const given = new Map(readJsonLines<GivenAliases>(file).map(({ memory_id: id, aliases }) => [id, aliases]));
  const stores = new Set(data.memories.filter(({ id }) => given.has(id)).map(({ storeId }) => storeId));
  const prompts = data.prompts.filter(({ storeId }) => stores.has(storeId));
  const samples = (memories: LabelledMemory[]): Sample[] =>
    samplesOf({ memories, prompts, turns: [] }).labelled;
  const memories = data.memories.filter(({ storeId }) => stores.has(storeId));
  const [without, with_] = [
    samples(memories),
    samples(memories.map((memory) => withAliases(memory, given.get(memory.id) ?? []))),
  ];
  const ranked = Object.entries(MEASURES).map(([name, of]): Figure => {
    const mean = (needs: readonly Need[]): number =>
      needs.reduce((sum, { rank }) => sum + of(rank), 0) / Math.max(1, needs.length);
    const needs = needsOf(with_);
    const byStore = [...stores].map((store) => needs.filter(({ storeId }) => storeId === store));
    const ci95 = bootstrapOf(byStore, (some) => mean(some.flat()));
    return {
      name: `aliases_${name}`,
      value: mean(needs),
      unit: "rate",
      n: needs.length,
      baseline: mean(needsOf(without)),
      note: "without aliases",
      ...(ci95 && { ci95 }),
    };
  });
  const compared = (name: string, of: (some: readonly Sample[]) => Tally): Figure => ({
    ...pooledRate(name, [of(with_)]),
    baseline: rateOf(of(without)),
    note: "without aliases",
  });
  return [
    ...ranked,
    compared("aliases_false_body_rate", falseBodies),
    compared("aliases_body_recall", toldWhole),
  ];
}

function withAliases(memory: LabelledMemory, aliases: readonly string[]): LabelledMemory {
  const text = memory.text.replace("\n---\n", () => `\naliases: ${JSON.stringify(aliases)}\n---\n`);
  return aliases.length === 0 ? memory : { ...memory, text };
}

function needsOf(samples: readonly Sample[]): Need[] {
  return samples.flatMap(({ storeId, label, hits }) =>
    (label?.relevant ?? [])
      .filter(({ grade, memoryId }) => grade === 2 && !label?.excluded.includes(memoryId))
      .map(({ memoryId }) => ({ storeId, rank: hits.findIndex((hit) => hit.memoryId === memoryId) + 1 })),
  );
}

const rateOf = ({ successes, trials }: Tally): number => successes / Math.max(1, trials);

/** The prompts that need nothing, and those of them that would be told a memory whole. */
function falseBodies(samples: readonly Sample[]): Tally {
  const silent = samples.filter(({ label }) => label?.relevant.length === 0);
  const told = silent.filter(({ hits }) => hits.some(({ signals }) => tellsWhole(signals)));
  return { successes: told.length, trials: silent.length };
}

/** What must be told, and what of it would be told whole. */
function toldWhole(samples: readonly Sample[]): Tally {
  const needed = samples.flatMap(({ label, hits }) =>
    (label?.relevant ?? [])
      .filter(({ grade, memoryId }) => grade === 2 && !label?.excluded.includes(memoryId))
      .map(({ memoryId }) => hits.some((hit) => hit.memoryId === memoryId && tellsWhole(hit.signals))),
  );
  return { successes: needed.filter(Boolean).length, trials: needed.length };
}
