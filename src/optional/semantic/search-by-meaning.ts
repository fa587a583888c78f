import type { MemoryCard } from "../../memory/memory-card.ts";
import { documentKeyAmongStores } from "../../index/document/index-document.ts";
import type { Hit } from "../../recall/hit.ts";
import type { SearchResult } from "../../recall/search.ts";
import { fuseScores, MEANING_WEIGHT } from "./fuse-scores.ts";
import type { PromptMeaning } from "../../app/place/semantic-source.ts";

/** Hits by words are looked at this many times further, so that one that is near can come to the front. */
const POOL_FACTOR = 4;

/**
 * A memory without a word in common must be so near: 99 % of 1,020 pairs of a real prompt and a memory that has nothing to
 * do with it are farther.
 */
const NEAR_ENOUGH = 0.3;

/** Whether a query may be answered by meaning: one with phrases or prefixes says exactly what it looks for. */
function isPlainQuery(query: string): boolean {
  return query.trim() !== "" && !/["*“”]/.test(query);
}

/**
 * Searches by words and meaning together, with memories that are near in meaning and share no word. A query with phrases or
 * prefixes is answered by words alone. The score of a hit stays that of its words; 0 for one that shares none.
 */
export function rankByMeaning(
  query: string,
  look: (limit: number) => SearchResult,
  meaning: PromptMeaning,
  limit: number,
  admits: (card: MemoryCard) => boolean,
): SearchResult {
  return isPlainQuery(query) ? withMeaning(look(limit * POOL_FACTOR), meaning, limit, admits) : look(limit);
}

function withMeaning(
  found: SearchResult,
  meaning: PromptMeaning,
  limit: number,
  admits: (card: MemoryCard) => boolean,
): SearchResult {
  const hits = new Map(
    found.hits.map((hit) => [documentKeyAmongStores(hit.card), withNearness(hit, meaning)]),
  );
  for (const card of meaning.nearest(limit, admits)) {
    const hit = withNearness({ card, score: 0, terms: [] }, meaning);
    if ((hit.nearness ?? 0) >= NEAR_ENOUGH && !hits.has(documentKeyAmongStores(card)))
      hits.set(documentKeyAmongStores(card), hit);
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

function withNearness(hit: Hit, meaning: PromptMeaning): Hit {
  const nearness = meaning.nearnessOf(hit.card);
  return nearness === undefined ? hit : { ...hit, nearness };
}
