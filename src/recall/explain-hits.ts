import { FIELDS } from "../index/document/index-document.ts";
import type { Segment } from "../index/segment/segment.ts";
import { type FieldNorms, K1, normalisingLengths, weightedFrequencies } from "./bm25f.ts";
import type { Candidate } from "./candidates.ts";
import type { ScoreTerm } from "./search-query.ts";
import { postingsOfEntries, type WeightedUnit } from "./score-segments.ts";
import { frequencyIn } from "../index/segment/posting-list.ts";

/** The score terms of some documents, largest first, each split over its fields in proportion. */
export function explainCandidates(
  candidates: readonly Candidate[],
  segments: readonly Segment[],
  units: readonly WeightedUnit[],
  norms: FieldNorms,
): Map<Candidate, ScoreTerm[]> {
  const explained = new Map<Candidate, ScoreTerm[]>(candidates.map((candidate) => [candidate, []]));
  for (const [place, segment] of segments.entries()) {
    const wanted = new Map<number, Candidate>();
    for (const candidate of candidates)
      if (candidate.segment === place) wanted.set(candidate.document, candidate);
    if (wanted.size === 0) continue;
    const lengths = normalisingLengths(segment, norms);
    for (const { unit, idf } of units) {
      const entries = unit.entries[place] ?? [];
      if (entries.length === 0) continue;
      const postings = postingsOfEntries(segment, entries);
      const documents = postings.documents.subarray(0, postings.count);
      for (const [document, candidate] of wanted) {
        const index = indexOfSorted(documents, document);
        if (index < 0) continue;
        const { total, byField } = weightedFrequencies(postings, index, norms, lengths);
        const saturated = total / (K1 + total);
        for (const [field, name] of FIELDS.entries()) {
          const share = byField[field] as number;
          if (share === 0) continue;
          explained.get(candidate)?.push({
            term: unit.label,
            field: name,
            frequency: frequencyIn(postings, index, field),
            idf,
            weight: norms.weights[field] as number,
            contribution: (idf * saturated * share) / total,
          });
        }
      }
    }
  }
  for (const terms of explained.values()) terms.sort((left, right) => right.contribution - left.contribution);
  return explained;
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
