import { FIELDS } from "../index/document/field.ts";
import type { Segment } from "../index/segment/segment.ts";
import {
  addScores,
  type CollectionStatistics,
  type FieldNorms,
  inverseDocumentFrequency,
  normalisingLengths,
} from "./bm25f.ts";
import type { QueryTerm } from "./parse-query.ts";
import { postingsOfEntries, type QueryUnit, resolveUnit } from "./query-unit.ts";

/** Terms of one query that are scored at most; of a longer one the rarest. */
export const MAX_QUERY_TERMS = 128;

/** A unit with its rarity. */
export interface WeightedUnit {
  unit: QueryUnit;
  idf: number;
}

/** Says whether the time is over. */
export type IsOver = () => boolean;

/** Sizes over all documents that were not removed. */
export function collectionStatistics(segments: readonly Segment[]): CollectionStatistics {
  const documentCount = segments.reduce((count, segment) => count + segment.liveCount, 0);
  const averageLengths = FIELDS.map((_, field) => {
    const total = segments.reduce((sum, segment) => sum + segment.totalLengthOf(field), 0);
    return documentCount === 0 ? 0 : total / documentCount;
  });
  return { documentCount, averageLengths };
}

/**
 * Resolves the terms of a query, rarest first: a search that is cut has then seen what matters most, and sums of
 * floating-point numbers do not depend on how documents are spread over segments.
 */
export function resolveUnits(
  terms: readonly QueryTerm[],
  segments: readonly Segment[],
  documentCount: number,
  isOver: IsOver,
): WeightedUnit[] {
  const units: QueryUnit[] = [];
  for (const term of terms) {
    if (isOver()) break;
    const unit = resolveUnit(term, segments);
    if (unit !== undefined) units.push(unit);
  }
  units.sort(
    (left, right) => left.documentFrequency - right.documentFrequency || (left.label < right.label ? -1 : 1),
  );
  return units
    .slice(0, MAX_QUERY_TERMS)
    .map((unit) => ({ unit, idf: inverseDocumentFrequency(documentCount, unit.documentFrequency) }));
}

let scratch = new Float64Array(0);

/** Scores of the documents of one segment; valid until the next call. */
export function scoreSegment(
  segment: Segment,
  place: number,
  units: readonly WeightedUnit[],
  norms: FieldNorms,
  isOver: IsOver,
): Float64Array {
  if (scratch.length < segment.documentCount) scratch = new Float64Array(segment.documentCount);
  else scratch.fill(0, 0, segment.documentCount);
  if (units.length === 0) return scratch;
  const lengths = normalisingLengths(segment, norms);
  for (const { unit, idf } of units) {
    const entries = unit.entries[place] ?? [];
    if (entries.length === 0) continue;
    if (isOver()) break;
    addScores(postingsOfEntries(segment, entries), idf, norms, lengths, scratch);
  }
  return scratch;
}
