import type { IndexReader } from "../index/index-reader.ts";
import { reading } from "../index/segment/index-damage.ts";
import type { Segment } from "../index/segment/segment.ts";
import { fieldNorms } from "./bm25f.ts";
import { BestCandidates, type Candidate } from "./candidates.ts";
import { admitsMetadata, admittedDocuments, needsMetadata } from "./document-filter.ts";
import { explainCandidates } from "./explain-hits.ts";
import { compareHits, type Hit, type SearchQuery } from "./search-query.ts";
import { parseQuery } from "./parse-query.ts";
import { type RelatedMemory, relatedMemories } from "./related-memories.ts";
import { collectionStatistics, resolveUnits, scoreSegment, type IsOver } from "./score-segments.ts";

const DEFAULT_LIMIT = 10;
/** Candidates whose metadata is read first when a filter needs it; sixteen times more while too few pass. */
const FIRST_ROUND = 64;
const ROUND_FACTOR = 16;

/** How rare a term of the query is in the collection. */
export interface TermRarity {
  term: string;
  documentFrequency: number;
  idf: number;
}

/** What a search found. */
export interface SearchResult {
  /** Best first (see compareHits). */
  hits: Hit[];
  /** Size of the whole admitted collection, before filters. */
  documentCount: number;
  /** Terms of the query that some document holds, rarest first. */
  terms: TermRarity[];
  /** With `withRelated`. */
  related: RelatedMemory[];
  /** The deadline came first: what is there is right, but something may be missing. */
  isCut: boolean;
}

/**
 * Ranks the memories of all readers together by BM25F: rarity and average lengths are those of the whole collection,
 * however it is spread over stores and segments. Synchronous.
 *
 * @throws IndexDamage when an index cannot be read; all of them are told, since it is not known which it was.
 */
export function search(readers: readonly IndexReader[], query: SearchQuery): SearchResult {
  return reading(
    () => searchSoundly(readers, query),
    () => {
      for (const reader of readers) reader.whenDamaged();
    },
  );
}

function searchSoundly(readers: readonly IndexReader[], query: SearchQuery): SearchResult {
  const deadline = deadlineOf(query);
  const segments = readers.flatMap((reader) => reader.segments);
  const parsed = parseQuery(query.text, query.syntax ?? "query");
  const statistics = collectionStatistics(segments);
  const units = resolveUnits(parsed.terms, segments, statistics.documentCount, deadline.isOver);
  const norms = fieldNorms(statistics, query.fieldWeights);
  const admitted = segments.map((segment) => admittedDocuments(segment, query, parsed));

  const rank = (wanted: number): BestCandidates => {
    const best = new BestCandidates(wanted);
    for (const [place, segment] of segments.entries()) {
      if (!parsed.isBlank && units.every(({ unit }) => unit.entries[place]?.length === 0)) continue;
      const scores = scoreSegment(segment, place, units, norms, deadline.isOver);
      best.offer(place, scores, segment.documentCount, admitted[place], parsed.isBlank);
    }
    return best;
  };

  const limit = Math.max(0, query.limit ?? DEFAULT_LIMIT);
  const chosen = limit === 0 ? [] : choose(rank, limit, segments, query, deadline.isOver);
  const hits = chosen.map(({ hit }) => hit);
  if (query.isExplained === true) {
    const terms = explainCandidates(
      chosen.map(({ candidate }) => candidate),
      segments,
      units,
      norms,
    );
    for (const { hit, candidate } of chosen) hit.terms = terms.get(candidate) ?? [];
  }
  return {
    hits,
    documentCount: statistics.documentCount,
    terms: units.map(({ unit, idf }) => ({
      term: unit.label,
      documentFrequency: unit.documentFrequency,
      idf,
    })),
    related: query.withRelated === true ? relatedMemories(readers, hits, query) : [],
    isCut: deadline.wasOver(),
  };
}

interface Chosen {
  hit: Hit;
  candidate: Candidate;
}

/** The best hits that pass the filters on metadata; looks at more candidates while too few pass. */
function choose(
  rank: (wanted: number) => BestCandidates,
  limit: number,
  segments: readonly Segment[],
  query: SearchQuery,
  isOver: IsOver,
): Chosen[] {
  const filters = needsMetadata(query);
  let wanted = filters ? Math.max(FIRST_ROUND, limit) : limit;
  for (;;) {
    const best = rank(wanted);
    const candidates = best.best();
    const chosen: Chosen[] = [];
    for (const [place, candidate] of candidates.entries()) {
      if (filters && place >= FIRST_ROUND && isOver()) break;
      // Cards are read in order of score: behind the last that is wanted only its equals can matter.
      const last = chosen[limit - 1];
      if (last !== undefined && candidate.score < last.candidate.score) break;
      const metadata = (segments[candidate.segment] as Segment).metadataOf(candidate.document);
      if (admitsMetadata(metadata, query))
        chosen.push({ hit: { metadata, score: candidate.score }, candidate });
    }
    if (!filters || chosen.length >= limit || candidates.length >= best.seen || isOver()) {
      return chosen.sort((left, right) => compareHits(left.hit, right.hit)).slice(0, limit);
    }
    wanted *= ROUND_FACTOR;
  }
}

function deadlineOf(query: SearchQuery): { isOver: IsOver; wasOver: () => boolean } {
  const { deadlineAtMs } = query;
  if (deadlineAtMs === undefined) return { isOver: () => false, wasOver: () => false };
  const clock = query.clock ?? (() => performance.now());
  let over = false;
  const isOver = (): boolean => {
    over ||= clock() >= deadlineAtMs;
    return over;
  };
  return { isOver, wasOver: () => over };
}
