import { FIELD_COUNT } from "../index/document/field.ts";
import { decodePositions } from "../index/segment/positions.ts";
import { emptyPostings } from "../index/segment/posting-list.ts";
import type { Segment } from "../index/segment/segment.ts";
import type { PhraseWord } from "./parse-query.ts";

/**
 * Documents of a segment that hold the words of a phrase at their distances in one field. Function words are not
 * indexed: any word may stand in their place.
 */
export function documentsWithPhrase(segment: Segment, phrase: readonly PhraseWord[]): Set<number> {
  let starts: Map<number, Set<number>[]> | undefined;
  const postings = emptyPostings();
  for (const { term, offset } of phrase) {
    const entry = segment.dictionary.find(term);
    if (entry === undefined || entry.count === 0) return new Set();
    segment.postingsOf(entry, postings);
    const candidates = starts;
    const found = decodePositions(segment.positionsOf(entry), postings, (document) =>
      candidates === undefined ? segment.isLive(document) : candidates.has(document),
    );
    const next = new Map<number, Set<number>[]>();
    for (const [document, fields] of found) {
      const before = candidates?.get(document);
      const remaining = Array.from({ length: FIELD_COUNT }, (_, field) => {
        const shifted = (fields[field] as number[]).map((position) => position - offset);
        const known = before?.[field];
        return new Set(known === undefined ? shifted : shifted.filter((start) => known.has(start)));
      });
      if (remaining.some((field) => field.size > 0)) next.set(document, remaining);
    }
    starts = next;
  }
  return new Set(starts?.keys());
}
