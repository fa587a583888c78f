import { FIELDS, FIELD_COUNT } from "../index/document/index-document.ts";
import type { Segment } from "../index/segment/segment.ts";
import type { CollectionStatistics, FieldNorms } from "./bm25f.ts";
import { addScores, inverseDocumentFrequency, normalisingLengths } from "./bm25f.ts";
import type { QueryTerm } from "./parse-query.ts";
import { frequencyIn, emptyPostings, type Postings } from "../index/segment/posting-list.ts";
import { SPECIAL } from "../index/segment/special-terms.ts";
import type { TermEntry } from "../index/segment/term-dictionary.ts";
import { termOf } from "../index/analysis/normalize-word.ts";

/** Terms of one query that are scored at most; of a longer one the rarest. */
const MAX_QUERY_TERMS = 128;

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
 * Resolves the terms of a query, rarest first: a search that is cut has seen what matters most, and sums do
 * not depend on how documents are spread over segments.
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

let scores = new Float64Array(0);

/** Scores of the documents of one segment; valid until the next call. */
export function scoreSegment(
  segment: Segment,
  place: number,
  units: readonly WeightedUnit[],
  norms: FieldNorms,
  isOver: IsOver,
): Float64Array {
  if (scores.length < segment.documentCount) scores = new Float64Array(segment.documentCount);
  else scores.fill(0, 0, segment.documentCount);
  if (units.length === 0) return scores;
  const lengths = normalisingLengths(segment, norms);
  for (const { unit, idf } of units) {
    const entries = unit.entries[place] ?? [];
    if (entries.length === 0) continue;
    if (isOver()) break;
    addScores(postingsOfEntries(segment, entries), idf, norms, lengths, scores);
  }
  return scores;
}

/** Terms that a prefix stands for at most, in the order of the alphabet. */
const MAX_EXPANSIONS = 64;

/** Something that scores as one term: a word of the query, or all the words that a prefix stands for. */
interface QueryUnit {
  /** As a person would write it: `migrat`, `migr*`. */
  label: string;
  query: QueryTerm;
  /** Entries in each segment, in the order of the segments. */
  entries: readonly (readonly TermEntry[])[];
  /** Number of documents, over all segments, that hold it and were not removed. */
  documentFrequency: number;
}

/** Looks a term of the query up in all segments; undefined when no document holds it. */
function resolveUnit(query: QueryTerm, segments: readonly Segment[]): QueryUnit | undefined {
  const terms = query.isPrefix ? expandPrefix(query.term, segments) : [query.term];
  let documentFrequency = 0;
  const entries = segments.map((segment) => {
    const found = terms
      .flatMap((term) => segment.dictionary.find(term) ?? [])
      .filter((entry) => entry.count > 0);
    documentFrequency += countLive(segment, found);
    return found;
  });
  if (documentFrequency === 0) return undefined;
  return { label: query.isPrefix ? `${query.term}*` : query.term, query, entries, documentFrequency };
}

/** Terms whose text, or one of whose written forms, starts with the prefix. */
function expandPrefix(prefix: string, segments: readonly Segment[]): string[] {
  const terms = new Set<string>();
  for (const segment of segments) {
    let count = 0;
    for (const entry of segment.dictionary.withPrefix(prefix)) {
      if (count++ >= MAX_EXPANSIONS) break;
      terms.add(entry.term);
    }
    count = 0;
    for (const entry of segment.dictionary.withPrefix(SPECIAL.surface + prefix)) {
      if (count++ >= MAX_EXPANSIONS) break;
      terms.add(termOf(entry.term.slice(1)));
    }
  }
  return [...terms].sort().slice(0, MAX_EXPANSIONS);
}

const scratch = emptyPostings();

function countLive(segment: Segment, entries: readonly TermEntry[]): number {
  const [first] = entries;
  if (first === undefined) return 0;
  if (entries.length === 1 && segment.dead === undefined) return first.count;
  const postings = postingsOfEntries(segment, entries);
  let count = 0;
  for (let index = 0; index < postings.count; index++) {
    if (segment.isLive(postings.documents[index] as number)) count++;
  }
  return count;
}

/**
 * The postings of a unit in one segment, removed documents included; frequencies are added up. Valid until the
 * next call.
 */
export function postingsOfEntries(segment: Segment, entries: readonly TermEntry[]): Postings {
  const [first] = entries;
  if (first !== undefined && entries.length === 1) {
    segment.postingsOf(first, scratch);
    return scratch;
  }
  const sums = new Map<number, number[]>();
  for (const entry of entries) {
    segment.postingsOf(entry, scratch);
    for (let index = 0; index < scratch.count; index++) {
      const document = scratch.documents[index] as number;
      const sum = sums.get(document) ?? Array.from({ length: FIELD_COUNT }, () => 0);
      for (let field = 0; field < FIELD_COUNT; field++) {
        sum[field] = (sum[field] as number) + frequencyIn(scratch, index, field);
      }
      sums.set(document, sum);
    }
  }
  const merged = emptyPostings(Math.max(1, sums.size));
  for (const document of [...sums.keys()].sort((left, right) => left - right)) {
    merged.documents[merged.count] = document;
    merged.frequencies.set(sums.get(document) as number[], merged.count * FIELD_COUNT);
    merged.count++;
  }
  return merged;
}
