import {
  BODY_FIELD,
  FIELDS,
  FIELD_COUNT,
  MEASURED_FIELDS,
  SPECIAL,
  type Field,
} from "./index/document/index-document.ts";
import type { Segment } from "./index/segment/segment.ts";
import type { TokenKindValue } from "./index/analysis/tokenize.ts";
import { emptyPostings, frequencyIn, type Postings } from "./index/segment/segment.ts";
import type { TermEntry } from "./index/segment/term-dictionary.ts";
import { termOf } from "./index/analysis/normalize-word.ts";

/** Terms of one query that are scored at most; of a longer one the rarest. */
const MAX_QUERY_TERMS = 128;

export interface QueryTerm {
  term: string;
  kind: TokenKindValue;
  isPrefix: boolean;
}

/** Something that scores as one term: a word of the query, or all the words that a prefix stands for. */
export interface QueryUnit {
  /** As a person would write it: `migrat`, `migr*`. */
  label: string;
  /** By segment. */
  entries: readonly (readonly TermEntry[])[];
  /** Number of documents, over all segments, that hold it and were not removed. */
  documentFrequency: number;
  idf: number;
}

export type IsOver = () => boolean;

/** Terms rarest first: a search that is cut has seen what matters most, and sums do not depend on segments. */
export function resolveUnits(
  terms: readonly QueryTerm[],
  segments: readonly Segment[],
  documentCount: number,
  isOver: IsOver,
): QueryUnit[] {
  const units: QueryUnit[] = [];
  for (const query of terms) {
    if (isOver()) break;
    const words = query.isPrefix ? expandPrefix(query.term, segments) : [query.term];
    const entries = segments.map(({ dictionary }) =>
      words.flatMap((word) => dictionary.find(word) ?? []).filter(({ count }) => count > 0),
    );
    const documentFrequency = segments.reduce(
      (sum, segment, place) => sum + countLive(segment, entries[place] ?? []),
      0,
    );
    const label = query.isPrefix ? `${query.term}*` : query.term;
    const idf = inverseDocumentFrequency(documentCount, documentFrequency);
    if (documentFrequency > 0) units.push({ label, entries, documentFrequency, idf });
  }
  return units
    .sort(
      (left, right) =>
        left.documentFrequency - right.documentFrequency || (left.label < right.label ? -1 : 1),
    )
    .slice(0, MAX_QUERY_TERMS);
}

const MAX_EXPANSIONS = 64;

/** Terms whose text, or one of whose written forms, starts with the prefix. */
function expandPrefix(prefix: string, segments: readonly Segment[]): string[] {
  const terms = new Set<string>();
  for (const { dictionary } of segments)
    for (const mark of ["", SPECIAL.surface]) {
      let count = 0;
      for (const { term } of dictionary.withPrefix(mark + prefix)) {
        if (count++ >= MAX_EXPANSIONS) break;
        const text = term.toString();
        terms.add(mark === "" ? text : termOf(text.slice(1)));
      }
    }
  return [...terms].sort().slice(0, MAX_EXPANSIONS);
}

const scratch = emptyPostings();

function countLive(segment: Segment, entries: readonly TermEntry[]): number {
  const [first] = entries;
  if (first === undefined) return 0;
  if (entries.length === 1 && segment.dead === undefined) return first.count;
  const { documents, count } = postingsOfEntries(segment, entries);
  return documents.subarray(0, count).reduce((sum, document) => sum + Number(segment.isLive(document)), 0);
}

/** Postings of a unit in one segment, removed documents included, frequencies added up. Valid until the next call. */
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
      sums.set(
        document,
        sum.map((before, field) => before + frequencyIn(scratch, index, field)),
      );
    }
  }
  const documents = Uint32Array.from(sums.keys()).sort();
  const frequencies = Uint32Array.from([...documents].flatMap((document) => sums.get(document) ?? []));
  return { count: documents.length, documents, bodyOnly: new Uint32Array(documents.length), frequencies };
}

let scores = new Float64Array(0);

/** Scores of the documents of one segment; valid until the next call. */
export function scoreSegment(
  segment: Segment,
  place: number,
  units: readonly QueryUnit[],
  norms: readonly FieldNorm[],
  isOver: IsOver,
): Float64Array {
  const { lengths } = segment;
  const [ofBody, bodyLengths] = [norms[BODY_FIELD]!, lengths[BODY_FIELD]!];
  if (scores.length < segment.documentCount) scores = new Float64Array(segment.documentCount);
  else scores.fill(0, 0, segment.documentCount);
  for (const { entries, idf } of units) {
    const found = entries[place] ?? [];
    if (found.length === 0) continue;
    if (isOver()) break;
    const { documents, bodyOnly, frequencies, count } = postingsOfEntries(segment, found);
    for (let index = 0; index < count; index++) {
      const document = documents[index] as number;
      const inBody = bodyOnly[index] as number;
      let weighted = 0;
      if (inBody > 0) weighted = weightOf(inBody, ofBody, bodyLengths[document]);
      else
        for (let field = 0; field < FIELD_COUNT; field++) {
          const frequency = frequencies[index * FIELD_COUNT + field] as number;
          if (frequency > 0) weighted += weightOf(frequency, norms[field]!, lengths[field]?.[document]);
        }
      scores[document] = (scores[document] as number) + (idf * weighted) / (K1 + weighted);
    }
  }
  return scores;
}

/** What the occurrences of a term in one field of a document weigh. */
export function weightOf(frequency: number, { weight, constant, slope }: FieldNorm, length = 0): number {
  return (weight * frequency) / (constant + slope * length);
}

export interface Candidate {
  score: number;
  segment: number;
  document: number;
}

/** Lists are pruned when they have grown to this multiple of what is wanted. */
const PRUNE_FACTOR = 4;

/** Keeps the best candidates and all that tie with the last of them, so that the tie-break never depends on order. */
export class BestCandidates {
  readonly #wanted: number;
  #kept: Candidate[] = [];
  #pruneAt: number;
  #threshold = Number.NEGATIVE_INFINITY;
  seen = 0;

  constructor(wanted: number) {
    this.#wanted = wanted;
    this.#pruneAt = wanted * PRUNE_FACTOR;
  }

  offer(score: number, segment: number, document: number): void {
    this.seen++;
    if (score < this.#threshold) return;
    this.#kept.push({ score, segment, document });
    if (this.#kept.length < this.#pruneAt) return;
    this.#threshold = this.best()[this.#wanted - 1]?.score ?? this.#threshold;
    this.#kept = this.#kept.filter((candidate) => candidate.score >= this.#threshold);
    // Ties can keep the list long: then the next pruning waits until it has grown in proportion.
    this.#pruneAt = this.#kept.length * PRUNE_FACTOR;
  }

  best(): Candidate[] {
    return this.#kept.sort((left, right) => right.score - left.score);
  }
}

/**
 * BM25F, "simple BM25 extension to multiple weighted fields" (Robertson, Zaragoza, Taylor, CIKM 2004) with a length
 * normalisation for each field (Zaragoza et al., TREC 2004):
 *
 *     tf'(t, d)  = sum over fields f of  weight_f * tf_f / (1 - b_f + b_f * length_f / averageLength_f)
 *     score(d)   = sum over terms t of   idf(t) * tf' / (k1 + tf')
 *     idf(t)     = ln(1 + (N - n + 0.5) / (n + 0.5))
 */
export const K1 = 1.2;

export interface FieldWeight {
  weight: number;
  /** 0: length does not matter; 1: it counts in full. Of MEASURED_FIELDS alone. */
  b: number;
}

/** Short fields are written to be found: length says nothing. A light body ranked better on labelled stores (nDCG@10 0.862 against 0.843 at 1). */
export const FIELD_WEIGHTS: Readonly<Record<Field, FieldWeight>> = {
  name: { weight: 3, b: 0 },
  trigger: { weight: 3, b: 0 },
  aliases: { weight: 3, b: 0 },
  tags: { weight: 2, b: 0 },
  statement: { weight: 2, b: 0.5 },
  body: { weight: 0.4, b: 0.75 },
};

export function inverseDocumentFrequency(documentCount: number, documentFrequency: number): number {
  return Math.log(1 + (documentCount - documentFrequency + 0.5) / (documentFrequency + 0.5));
}

/** The parts of the formula for a field that do not depend on the document: `weight / (constant + slope * length)`. */
export interface FieldNorm {
  weight: number;
  constant: number;
  slope: number;
}

/** Averages are over all segments together, before any filter. */
export function fieldNorms(
  segments: readonly Segment[],
  documentCount: number,
  fieldWeights: Readonly<Record<Field, FieldWeight>> = FIELD_WEIGHTS,
): FieldNorm[] {
  return FIELDS.map((name) => {
    const { weight, b } = fieldWeights[name];
    const place = MEASURED_FIELDS.indexOf(name);
    const total = segments.reduce((sum, { totalLengths }) => sum + (totalLengths[place] ?? 0), 0);
    return total === 0
      ? { weight, constant: 1, slope: 0 }
      : { weight, constant: 1 - b, slope: (b * documentCount) / total };
  });
}
