import type { IndexReader } from "./index/index-reader.ts";
import { reading } from "./index/segment/bytes.ts";
import { type Segment, frequencyIn } from "./index/segment/segment.ts";
import type { Candidate, FieldNorm, IsOver, QueryUnit } from "./score-segments.ts";
import {
  BestCandidates,
  fieldNorms,
  K1,
  postingsOfEntries,
  resolveUnits,
  scoreSegment,
  weightOf,
} from "./score-segments.ts";
import type { Hit, SearchQuery } from "./search-query.ts";
import { admittedDocuments, compareHits, hasPhrases, parseQuery } from "./search-query.ts";
import { type Field, FIELDS } from "./index/document/index-document.ts";

const DEFAULT_LIMIT = 10;
/** Candidates whose metadata is read first when a filter needs it; sixteen times more while too few pass. */
const FIRST_ROUND = 64;
const ROUND_FACTOR = 16;

export interface SearchResult {
  hits: Hit[];
  documentCount: number;
  /** The words of the query that are in the collection. */
  terms: { term: string; documentFrequency: number; idf: number }[];
  /** The deadline came first: what is there is right, but something may be missing. */
  isCut: boolean;
}

/** Ranks all readers together by BM25F over the whole collection. @throws IndexDamage, told to all readers. */
export function search(readers: readonly IndexReader[], query: SearchQuery): SearchResult {
  return reading(
    () => searchSoundly(readers, query),
    () => {
      for (const reader of readers) reader.whenDamaged();
    },
  );
}

function searchSoundly(readers: readonly IndexReader[], query: SearchQuery): SearchResult {
  const { deadlineAtMs = Infinity } = query;
  let isCut = false;
  const isOver: IsOver = () => (isCut ||= performance.now() >= deadlineAtMs);
  const segments = readers.flatMap((reader) => reader.segments);
  const parsed = parseQuery(query.text, query.syntax ?? "query");
  const documentCount = segments.reduce((count, segment) => count + segment.liveCount, 0);
  const units = resolveUnits(parsed.terms, segments, documentCount, isOver);
  const norms = fieldNorms(segments, documentCount, query.fieldWeights);
  const admitted = segments.map((segment) => admittedDocuments(segment, query, parsed));

  const rank = (wanted: number): BestCandidates => {
    const best = new BestCandidates(wanted);
    for (const [place, segment] of segments.entries()) {
      if (!parsed.isBlank && units.every(({ entries }) => entries[place]?.length === 0)) continue;
      const scores = scoreSegment(segment, place, units, norms, isOver);
      const allowed = admitted[place];
      const { documentCount: count } = segment;
      for (let document = 0; document < count; document++) {
        const score = scores[document] as number;
        if (score === 0 && !parsed.isBlank) continue;
        if (allowed === undefined || allowed[document] === 1) best.offer(score, place, document);
      }
    }
    return best;
  };

  const limit = hasPhrases(parsed) ? Infinity : Math.max(0, query.limit ?? DEFAULT_LIMIT);
  const chosen = limit === 0 ? [] : choose(rank, limit, segments, query, isOver);
  if (query.isExplained === true) explain(chosen, segments, units, norms);
  return {
    hits: chosen.map(({ hit }) => hit),
    documentCount,
    terms: units.map(({ label: term, documentFrequency, idf }) => ({ term, documentFrequency, idf })),
    isCut,
  };
}

interface Chosen {
  hit: Hit;
  candidate: Candidate;
}

function choose(
  rank: (wanted: number) => BestCandidates,
  limit: number,
  segments: readonly Segment[],
  query: SearchQuery,
  isOver: IsOver,
): Chosen[] {
  const { admits } = query;
  let wanted = admits ? Math.max(FIRST_ROUND, limit) : limit;
  for (;;) {
    const best = rank(wanted);
    const candidates = best.best();
    const chosen: Chosen[] = [];
    for (const [place, candidate] of candidates.entries()) {
      if (admits && place >= FIRST_ROUND && isOver()) break;
      // Cards are read in order of score: behind the last that is wanted only its equals can matter.
      const last = chosen[limit - 1];
      if (last !== undefined && candidate.score < last.candidate.score) break;
      const metadata = (segments[candidate.segment] as Segment).metadataOf(candidate.document);
      if (admits?.(metadata) !== false) chosen.push({ hit: { metadata, score: candidate.score }, candidate });
    }
    if (!admits || chosen.length >= limit || candidates.length >= best.seen || isOver()) {
      return chosen.sort((left, right) => compareHits(left.hit, right.hit)).slice(0, limit);
    }
    wanted *= ROUND_FACTOR;
  }
}

/** Gives hits their score terms, largest first, each split over its fields in proportion. */
function explain(
  chosen: readonly Chosen[],
  segments: readonly Segment[],
  units: readonly QueryUnit[],
  norms: readonly FieldNorm[],
): void {
  for (const { hit } of chosen) hit.terms = [];
  for (const [place, segment] of segments.entries()) {
    const wanted = chosen.filter(({ candidate }) => candidate.segment === place);
    if (wanted.length === 0) continue;
    for (const { label: term, entries, idf } of units) {
      const postings = postingsOfEntries(segment, entries[place] ?? []);
      const documents = postings.documents.subarray(0, postings.count);
      for (const { hit, candidate } of wanted) {
        const index = indexOfSorted(documents, candidate.document);
        if (index < 0) continue;
        const frequencies = FIELDS.map((_, field) => frequencyIn(postings, index, field));
        const weights = frequencies.map((frequency, field) =>
          weightOf(frequency, norms[field]!, segment.lengths[field]?.[candidate.document]),
        );
        const total = weights.reduce((sum, weight) => sum + weight, 0);
        for (const [field, weight] of weights.entries()) {
          const frequency = frequencies[field]!;
          const contribution = (idf * weight) / (K1 + total);
          if (weight > 0)
            hit.terms?.push({ term, field: FIELDS[field] as Field, frequency, idf, contribution });
        }
      }
    }
  }
  for (const { hit } of chosen) hit.terms?.sort((left, right) => right.contribution - left.contribution);
}

function indexOfSorted(values: Uint32Array, wanted: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const value = values[middle] as number;
    if (value === wanted) return middle;
    if (value < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
