import { tokenize } from "../index/analysis/tokenize.ts";
import { TokenKind } from "../index/analysis/token-kind.ts";
import { FIELD_COUNT } from "../index/document/field.ts";
import { decodePositions } from "../index/segment/positions.ts";
import type { Segment } from "../index/segment/segment.ts";
import type { Candidate } from "./candidates.ts";
import { postingsOfEntries } from "./query-unit.ts";
import type { WeightedUnit } from "./score-segments.ts";

/** Two words of a text at most so many places apart are neighbours: one word, often a function word, may stand between. */
const MAX_DISTANCE = 2;
/** Words that stand in more memories are not followed to their places: that would cost more than it says. */
const MAX_DOCUMENTS = 500;

/** Two terms that stand together in this order. */
export type WordPair = readonly [first: string, second: string];

/** The neighbouring content words of a text: each term with those that follow it closely. */
export function neighboursIn(text: string): Map<string, Set<string>> {
  const recent: { term: string; position: number }[] = [];
  const pairs = new Map<string, Set<string>>();
  tokenize(text, (term, position, kind, isStop) => {
    if (isStop || kind === TokenKind.character) return;
    while (recent[0] !== undefined && position - recent[0].position > MAX_DISTANCE) recent.shift();
    for (const before of recent) {
      if (before.term === term || before.position === position) continue;
      const seconds = pairs.get(before.term) ?? new Set();
      pairs.set(before.term, seconds.add(term));
    }
    recent.push({ term, position });
  });
  return pairs;
}

/** Which of the neighbouring words of a query are neighbours in each candidate's text as well, in any field. */
export function sharedNeighbours(
  candidates: readonly Candidate[],
  segments: readonly Segment[],
  units: readonly WeightedUnit[],
  pairs: ReadonlyMap<string, ReadonlySet<string>>,
): Map<Candidate, WordPair[]> {
  const shared = new Map<Candidate, WordPair[]>(candidates.map((candidate) => [candidate, []]));
  const wantedTerms = new Set([...pairs].flatMap(([first, seconds]) => [first, ...seconds]));
  for (const [place, segment] of segments.entries()) {
    const wanted = new Map<number, Candidate>();
    for (const candidate of candidates)
      if (candidate.segment === place) wanted.set(candidate.document, candidate);
    if (wanted.size === 0) continue;
    const placesOf = new Map<string, Map<number, number[][]>>();
    for (const { unit } of units) {
      const [entry, another] = unit.entries[place] ?? [];
      if (entry === undefined || another !== undefined || entry.count > MAX_DOCUMENTS) continue;
      if (!wantedTerms.has(unit.label)) continue;
      const postings = postingsOfEntries(segment, [entry]);
      const documents = postings.documents.subarray(0, postings.count);
      if (!documents.some((document) => wanted.has(document))) continue;
      const places = decodePositions(segment.positionsOf(entry), postings, (document) =>
        wanted.has(document),
      );
      placesOf.set(unit.label, places);
    }
    for (const [first, seconds] of pairs) {
      for (const [document, firstPlaces] of placesOf.get(first) ?? []) {
        const candidate = wanted.get(document);
        if (candidate === undefined) continue;
        for (const second of seconds) {
          const secondPlaces = placesOf.get(second)?.get(document);
          if (secondPlaces && areNeighbours(firstPlaces, secondPlaces))
            shared.get(candidate)?.push([first, second]);
        }
      }
    }
  }
  return shared;
}

function areNeighbours(first: readonly number[][], second: readonly number[][]): boolean {
  for (let field = 0; field < FIELD_COUNT; field++) {
    const after = second[field] as number[];
    let next = 0;
    for (const position of first[field] as number[]) {
      while (next < after.length && (after[next] as number) <= position) next++;
      if (next < after.length && (after[next] as number) - position <= MAX_DISTANCE) return true;
    }
  }
  return false;
}
