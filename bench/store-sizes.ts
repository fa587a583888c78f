import { assessRelevance } from "../src/search/relevance-signals.ts";
import { TypeTable } from "../src/memory/memory-type.ts";
import { seededRandom } from "./corpus.ts";
import type { Figure } from "./figure.ts";
import { MAX_POINTERS } from "../src/session/answer-prompt.ts";
import { sampleOf, indexOf, scopedIndexOf, type Sample, type SampleHit } from "./relevance-samples.ts";
import type { InjectionData, LabelledMemory, LabelledPrompt } from "./injection-data.ts";

/** Sizes to which stores are cut (below the size of most real ones) and united (above it). */
export const SIZES = [5, 20, 200, 500] as const;
const SEED = 11;
const types = new TypeTable();

/**
 * The labelled prompts against stores cut to `size` memories (what a prompt needs always among them), or united with
 * others up to it. Which memories is drawn with a fixed seed.
 */
export function samplesAtSize(
  data: InjectionData,
  size: number,
  uniteBy: typeof indexOf = indexOf,
): Sample[] {
  const random = seededRandom(SEED);
  return [...new Set(data.prompts.map(({ storeId }) => storeId))].flatMap((storeId) => {
    const own = data.memories.filter((memory) => memory.storeId === storeId);
    const others = data.memories.filter((memory) => memory.storeId !== storeId);
    const united =
      size > own.length
        ? uniteBy([...own, ...shuffled(others, random).slice(0, size - own.length)])
        : undefined;
    return data.prompts
      .filter((label) => label.storeId === storeId)
      .map((label): Sample => {
        const reader = united ?? indexOf(cutTo(size, own, label, random));
        return sampleOf(reader, label);
      });
  });
}

/** Whether the relevance model starves small stores or shouts in large ones. */
export function storeSizeFigures(data: InjectionData): Figure[] {
  return [
    ...SIZES.flatMap((size) => figuresOf(`size_${size}`, samplesAtSize(data, size))),
    ...figuresOf("size_500_scoped", samplesAtSize(data, 500, scopedIndexOf)),
  ];
}

function figuresOf(prefix: string, samples: readonly Sample[]): Figure[] {
  const counts = { wanted: 0, injected: 0, negatives: 0, bodies: 0, pointers: 0 };
  for (const { label, hits } of samples) {
    const injected = injectedOf(hits);
    const relevant = label?.relevant ?? [];
    if (relevant.length === 0) {
      counts.negatives += 1;
      if (injected.bodies.length > 0) counts.bodies += 1;
      if (injected.pointers.length > 0) counts.pointers += 1;
    }
    for (const { memoryId, grade } of relevant) {
      if (grade !== 2) continue;
      counts.wanted += 1;
      if ([...injected.bodies, ...injected.pointers].includes(memoryId)) counts.injected += 1;
    }
  }
  const figure = (name: string, count: number, n: number): Figure => ({
    name: `${prefix}_${name}`,
    value: n === 0 ? null : count / n,
    unit: "rate",
    n,
  });
  return [
    figure("recall", counts.injected, counts.wanted),
    figure("false_body_rate", counts.bodies, counts.negatives),
    figure("false_pointer_rate", counts.pointers, counts.negatives),
  ];
}

function cutTo(
  size: number,
  own: readonly LabelledMemory[],
  label: LabelledPrompt,
  random: () => number,
): LabelledMemory[] {
  const needed = new Set(label.relevant.filter(({ grade }) => grade === 2).map(({ memoryId }) => memoryId));
  const rest = shuffled(
    own.filter(({ id, type }) => !needed.has(id) && type !== "feedback"),
    random,
  );
  const kept = own.filter(({ id }) => needed.has(id));
  return [...kept, ...rest.slice(0, Math.max(0, size - kept.length))];
}

function injectedOf(hits: readonly SampleHit[]): { bodies: string[]; pointers: string[] } {
  const weighed = hits
    .map((hit) => ({
      id: hit.memoryId,
      ...assessRelevance(hit.signals, types.get(hit.type)?.injection ?? "never"),
    }))
    .sort((a, b) => b.probability - a.probability);
  const ofForm = (form: string): string[] => weighed.filter((hit) => hit.form === form).map(({ id }) => id);
  return { bodies: ofForm("body"), pointers: ofForm("pointer").slice(0, MAX_POINTERS) };
}

function shuffled<T>(values: readonly T[], random: () => number): T[] {
  const result = [...values];
  for (let i = result.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [result[i], result[j]] = [result[j]!, result[i]!];
  }
  return result;
}
