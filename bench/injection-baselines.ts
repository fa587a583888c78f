import type { IndexReader } from "../src/index/index-reader.ts";
import { search } from "../src/recall/search.ts";
import { FACT_TYPES, indexOf } from "./relevance-samples.ts";
import type { InjectionData, LabelledMemory, LabelledPrompt } from "./injection-data.ts";
import { plainBm25Index } from "./plain-bm25.ts";

/** What another way of choosing would tell on a prompt: memories with a score, best first. */
export type Chooser = (prompt: string) => readonly { memoryId: string; score: number }[];

/** So many memories a baseline tells at most on one prompt: as many as heed points at. */
const MOST = 3;

/** The ways of choosing that heed is compared with, for one store. */
export interface Baselines {
  /** BM25 over the whole text as one field, stemmed, without function words. */
  plainBm25: Chooser;
  /** heed's own ranking with nothing but its score to decide by. */
  bm25f: Chooser;
  /** The memories in which most of the prompt's words of four letters or more occur as they are written. */
  grep: Chooser;
}

/** Makes the baselines of a store. */
export function baselinesOf(memories: readonly LabelledMemory[]): Baselines {
  const facts = memories.filter(({ type }) => type !== "feedback");
  const plain = plainBm25Index(facts.map(({ id, text }) => ({ id, text })));
  const reader: IndexReader = indexOf(memories);
  const texts = facts.map(({ id, text }) => ({ id, text: text.toLowerCase() }));
  return {
    plainBm25: (prompt) => plain(prompt, MOST).map(({ id, score }) => ({ memoryId: id, score })),
    bm25f: (prompt) =>
      search([reader], { text: prompt, syntax: "prompt", limit: MOST, types: FACT_TYPES }).hits.map(
        ({ card, score }) => ({ memoryId: card.id, score }),
      ),
    grep: (prompt) => {
      const words = new Set(prompt.toLowerCase().match(/[\p{L}\p{N}_-]{4,}/gu) ?? []);
      return texts
        .map(({ id, text }) => ({
          memoryId: id,
          score: [...words].filter((word) => text.includes(word)).length,
        }))
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score)
        .slice(0, MOST);
    },
  };
}

/** A prompt with what a baseline chose for it. */
export interface Chosen {
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
  let told = 0;
  for (const { label, choice } of chosen) {
    for (const { memoryId, grade } of label.relevant) {
      if (grade !== 2) continue;
      wanted += 1;
      if (choice.some((item) => item.memoryId === memoryId && item.score >= threshold)) told += 1;
    }
  }
  return wanted === 0 ? Number.NaN : told / wanted;
}

/** The share of the prompts that need nothing for which something is chosen with at least a score. */
export function falseRateAt(chosen: readonly Chosen[], threshold: number): number {
  const negatives = chosen.filter(({ label }) => label.relevant.length === 0);
  const told = negatives.filter(({ choice }) => choice.some(({ score }) => score >= threshold));
  return negatives.length === 0 ? Number.NaN : told.length / negatives.length;
}

/** The lowest score at which the false rate is at most `rate`: chosen on the very prompts it is then measured on. */
export function thresholdFor(chosen: readonly Chosen[], rate: number): number {
  const highest = chosen
    .filter(({ label }) => label.relevant.length === 0)
    .map(({ choice }) => choice[0]?.score ?? 0)
    .sort((a, b) => b - a);
  return (highest[Math.floor(rate * highest.length + 1e-9)] ?? 0) + 1e-9;
}
