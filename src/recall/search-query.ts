import type { Field } from "../index/document/index-document.ts";
import { type MemoryMetadata, type Scope, type Status, SALIENCES } from "../memory/memory.ts";
import type { FieldWeight } from "./score-segments.ts";

/** What is looked for, and among which memories. Filters narrow the hits, never the statistics behind the scores. */
export interface SearchQuery {
  /** Words. Blank: every memory that passes the filters, by salience and age. */
  text: string;
  /** `query` (default): `"phrase"` required, `prefix*`, `-excluded`. `prompt`: no syntax. */
  syntax?: "query" | "prompt";
  /** Number of hits at most; default 10. */
  limit?: number;
  types?: readonly string[];
  statuses?: readonly Status[];
  /** All of these, in any case. */
  tags?: readonly string[];
  storeIds?: readonly string[];
  /** ISO 8601; both ends included. A memory without the date does not pass. */
  created?: DateRange;
  updated?: DateRange;
  /** Decides by scope; asked once for each distinct scope, not for each memory. */
  admitsScope?: (scope: Scope) => boolean;
  /** Decides by any other metadata; asked for candidates in order of score until enough pass. */
  admits?: (metadata: MemoryMetadata) => boolean;
  /** Weight and length normalisation of each field; default FIELD_WEIGHTS, which suit memories. */
  fieldWeights?: Readonly<Record<Field, FieldWeight>>;
  /** List the score terms of each hit; default false. */
  isExplained?: boolean;
  /** Offer memories one link (related, extends) away from the hits; default false. */
  withRelated?: boolean;
  /** Time, by `clock`, after which the search answers with what it has and says `isCut`; default none. */
  deadlineAtMs?: number;
  /** Milliseconds from any origin; default performance.now. */
  clock?: () => number;
}

/** A span of time; an absent end is open. */
export interface DateRange {
  from?: string;
  to?: string;
}

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
  metadata: MemoryMetadata;
  /** BM25F; comparable within one search only. */
  score: number;
  /** With `isExplained`: largest contribution first. */
  terms?: ScoreTerm[];
}

const timeOf = (metadata: MemoryMetadata): number => {
  const time = Date.parse(metadata.updated ?? metadata.created ?? "");
  return Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time;
};

const compare = <T>(left: T, right: T): number => (left < right ? -1 : left > right ? 1 : 0);

/** The one order of hits: score, salience, the newer, name, then store and file, so that no two are equal. */
export function compareHits(left: Hit, right: Hit): number {
  return (
    right.score - left.score ||
    SALIENCES.indexOf(right.metadata.salience) - SALIENCES.indexOf(left.metadata.salience) ||
    compare(timeOf(right.metadata), timeOf(left.metadata)) ||
    compare(left.metadata.name, right.metadata.name) ||
    compare(left.metadata.storeId, right.metadata.storeId) ||
    compare(left.metadata.file, right.metadata.file) ||
    compare(left.metadata.section ?? -1, right.metadata.section ?? -1)
  );
}
