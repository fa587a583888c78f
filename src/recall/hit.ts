import type { Field } from "../index/document/field.ts";
import type { MemoryCard } from "../memory/memory-card.ts";
import { SALIENCES } from "../memory/memory.ts";

/** What one term of the query adds to a hit's score through one field. */
export interface ScoreTerm {
  term: string;
  field: Field;
  /** Occurrences in the field. */
  frequency: number;
  /** Rarity over the whole admitted collection. */
  idf: number;
  /** Weight of the field. */
  weight: number;
  /** Its part of the score; those of a hit add up to the score. */
  contribution: number;
}

/** A memory that was found. */
export interface Hit {
  card: MemoryCard;
  /** BM25F; comparable within one search only. */
  score: number;
  /** With `isExplained`: largest contribution first. */
  terms?: ScoreTerm[];
}

const timeOf = (card: MemoryCard): number => {
  const time = Date.parse(card.updated ?? card.created ?? "");
  return Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time;
};

const compare = <T>(left: T, right: T): number => (left < right ? -1 : left > right ? 1 : 0);

/** The one order of hits: score, salience, the newer, name, then store and file, so that no two are equal. */
export function compareHits(left: Hit, right: Hit): number {
  return (
    right.score - left.score ||
    SALIENCES.indexOf(right.card.salience) - SALIENCES.indexOf(left.card.salience) ||
    compare(timeOf(right.card), timeOf(left.card)) ||
    compare(left.card.name, right.card.name) ||
    compare(left.card.storeId, right.card.storeId) ||
    compare(left.card.file, right.card.file) ||
    compare(left.card.section ?? -1, right.card.section ?? -1)
  );
}
