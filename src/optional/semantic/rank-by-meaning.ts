import type { MeantSearch, RankedSearch } from "../../app/place/optional-parts.ts";
import { documentKeyAmongStores } from "../../index/document/index-document.ts";
import { fuseScores, MEANING_WEIGHT } from "./fuse-scores.ts";
import type { MemoryVectors } from "./memory-vectors.ts";

type MeantHit = RankedSearch["hits"][number];

/** Hits by words are looked at this many times further, so that one that is near can come to the front. */
const POOL_FACTOR = 4;

/**
 * A memory without a word in common must be so near: 99 % of 1,020 pairs of a real prompt and a memory that has nothing to
 * do with it are farther.
 */
const NEAR_ENOUGH = 0.3;

/** Whether a query may be answered by meaning: one with phrases or prefixes says exactly what it looks for. */
export function isPlainQuery(query: string): boolean {
  return query.trim() !== "" && !/["*“”]/.test(query);
}

/**
 * Ranks by words and meaning together, with memories that are near in meaning and share no word. The score of a hit
 * stays that of its words; 0 for one that shares none.
 */
export function rankByMeaning(search: MeantSearch, query: Int8Array, vectors: MemoryVectors): RankedSearch {
  const { limit, collection } = search;
  const withNearness = (hit: MeantHit): MeantHit => {
    const nearness = vectors.nearnessOf(hit.card, query, collection);
    return nearness === undefined ? hit : { ...hit, nearness };
  };
  const found = search.byWords(limit * POOL_FACTOR);
  const hits = new Map(found.hits.map((hit) => [documentKeyAmongStores(hit.card), withNearness(hit)]));
  let looked = 0;
  for (const card of vectors.nearest(query, NEAR_ENOUGH, search)) {
    if (++looked > limit) break;
    if (!hits.has(documentKeyAmongStores(card)))
      hits.set(documentKeyAmongStores(card), withNearness({ card, score: 0, terms: [] }));
  }
  const byWords = [...hits].map(([key, { score }]) => ({ key, score }));
  const byMeaning = [...hits].flatMap(([key, { nearness }]) =>
    nearness === undefined ? [] : [{ key, score: nearness }],
  );
  const ranked = fuseScores(byWords, byMeaning, MEANING_WEIGHT)
    .slice(0, limit)
    .flatMap(({ key }) => hits.get(key) ?? []);
  const names = new Set(ranked.map(({ card }) => card.name));
  const keys = new Set(ranked.map(({ card }) => documentKeyAmongStores(card)));
  const related = found.related.filter(
    ({ of, card }) => names.has(of) && !keys.has(documentKeyAmongStores(card)),
  );
  return { ...found, hits: ranked, related };
}
