import { documentKeyAmongStores } from "../index/document/index-document.ts";
import type { MemoryCard } from "../memory/memory-card.ts";
import type { Hit } from "./hit.ts";
import type { SearchResult } from "./search.ts";

/** A search looks so much further when a model offers candidates too, so that their words in common are known. */
export const SEARCH_FACTOR = 4;

/**
 * The candidates that the gate weighs when meaning is known: the best of the search, and the memories nearest in
 * meaning, with what the search says about them. One without a word in common comes with an empty list of terms.
 */
export function withNearest(
  result: SearchResult,
  nearest: readonly MemoryCard[],
  kept: number,
): SearchResult {
  const found = new Map(result.hits.map((hit) => [documentKeyAmongStores(hit.card), hit]));
  const best = result.hits.slice(0, kept);
  const taken = new Set(best.map(({ card }) => documentKeyAmongStores(card)));
  const further = nearest
    .filter((card) => !taken.has(documentKeyAmongStores(card)))
    .map((card): Hit => found.get(documentKeyAmongStores(card)) ?? { card, score: 0, terms: [] });
  return { ...result, hits: [...best, ...further] };
}
