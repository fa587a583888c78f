import type { IndexReader } from "./index/index-reader.ts";
import { reading } from "./index/segment/bytes.ts";
import type { Segment } from "./index/segment/segment.ts";
import type { Candidate, IsOver, FieldNorms, WeightedUnit } from "./score-segments.ts";
import {
  fieldNorms,
  BestCandidates,
  collectionStatistics,
  resolveUnits,
  scoreSegment,
  K1,
  normalisingLengths,
  weightedFrequencies,
  postingsOfEntries,
} from "./score-segments.ts";
import type { Hit, SearchQuery, ScoreTerm } from "./search-query.ts";
import { admittedDocuments, compareHits, parseQuery } from "./search-query.ts";
import { FIELDS } from "./index/document/index-document.ts";
import { frequencyIn } from "./index/segment/segment.ts";

const DEFAULT_LIMIT = 10;
/** Candidates whose metadata is read first when a filter needs it; sixteen times more while too few pass. */
const FIRST_ROUND = 64;
const ROUND_FACTOR = 16;

interface TermRarity {
  term: string;
  documentFrequency: number;
  idf: number;
}

export interface SearchResult {
  hits: Hit[];
  documentCount: number;
  terms: TermRarity[];
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
  const statistics = collectionStatistics(segments);
  const units = resolveUnits(parsed.terms, segments, statistics.documentCount, isOver);
  const norms = fieldNorms(statistics, query.fieldWeights);
  const admitted = segments.map((segment) => admittedDocuments(segment, query, parsed));

  const rank = (wanted: number): BestCandidates => {
    const best = new BestCandidates(wanted);
    for (const [place, segment] of segments.entries()) {
      if (!parsed.isBlank && units.every(({ unit }) => unit.entries[place]?.length === 0)) continue;
      const scores = scoreSegment(segment, place, units, norms, isOver);
      best.offer(place, scores, segment.documentCount, admitted[place], parsed.isBlank);
    }
    return best;
  };

  const limit = Math.max(0, query.limit ?? DEFAULT_LIMIT);
  const chosen = limit === 0 ? [] : choose(rank, limit, segments, query, isOver);
  if (query.isExplained === true) explain(chosen, segments, units, norms);
  return {
    hits: chosen.map(({ hit }) => hit),
    documentCount: statistics.documentCount,
    terms: units.map(({ unit, idf }) => ({
      term: unit.label,
      documentFrequency: unit.documentFrequency,
      idf,
    })),
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
  units: readonly WeightedUnit[],
  norms: FieldNorms,
): void {
  const termsOf = new Map<Hit, ScoreTerm[]>(chosen.map(({ hit }) => [hit, (hit.terms = [])]));
  for (const [place, segment] of segments.entries()) {
    const wanted = chosen.filter(({ candidate }) => candidate.segment === place);
    if (wanted.length === 0) continue;
    const lengths = normalisingLengths(segment, norms);
    for (const { unit, idf } of units) {
      const entries = unit.entries[place] ?? [];
      if (entries.length === 0) continue;
      const postings = postingsOfEntries(segment, entries);
      const documents = postings.documents.subarray(0, postings.count);
      for (const { hit, candidate } of wanted) {
        const index = indexOfSorted(documents, candidate.document);
        if (index < 0) continue;
        const { total, byField } = weightedFrequencies(postings, index, norms, lengths);
        const saturated = total / (K1 + total);
        for (const [field, name] of FIELDS.entries()) {
          const share = byField[field] as number;
          if (share === 0) continue;
          termsOf.get(hit)?.push({
            term: unit.label,
            field: name,
            frequency: frequencyIn(postings, index, field),
            idf,
            contribution: (idf * saturated * share) / total,
          });
        }
      }
    }
  }
  for (const terms of termsOf.values()) terms.sort((left, right) => right.contribution - left.contribution);
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
