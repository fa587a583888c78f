import { analyzeField } from "../../src/search/index/analysis/tokenize.ts";
import type { IndexDocument } from "../../src/search/index/document/index-document.ts";
import { FIELDS, documentKeyOf, fieldValuesOf } from "../../src/search/index/document/index-document.ts";
import { FIELD_WEIGHTS, K1 } from "../../src/search/score-segments.ts";
import { compareHits, type Hit, parseQuery } from "../../src/search/search-query.ts";

interface Analyzed {
  document: IndexDocument;
  fields: { counts: Map<string, number>; positions: Map<string, Set<number>>; length: number }[];
}

function analyzed(document: IndexDocument): Analyzed {
  const fields = fieldValuesOf(document).map((values) => {
    const counts = new Map<string, number>();
    const positions = new Map<string, Set<number>>();
    const length = analyzeField(values, (term, position) => {
      counts.set(term, (counts.get(term) ?? 0) + 1);
      positions.set(term, (positions.get(term) ?? new Set()).add(position));
    });
    return { counts, positions, length };
  });
  return { document, fields };
}

/** The formula read from the paper, over a plain list: no index, no segments, no shortcuts. */
export function naiveSearch(documents: readonly IndexDocument[], text: string, limit = 10): Hit[] {
  const byKey = new Map(documents.map((document) => [documentKeyOf(document.metadata), document]));
  const all = [...byKey.values()].map(analyzed);
  const query = parseQuery(text, "query");
  const averages = FIELDS.map(
    (_, field) => all.reduce((sum, one) => sum + (one.fields[field]?.length ?? 0), 0) / all.length,
  );
  const holds = (one: Analyzed, phrase: readonly { term: string; offset: number }[]): boolean =>
    one.fields.some(({ positions }) =>
      [...(positions.get(phrase[0]?.term ?? "") ?? [])].some((start) =>
        phrase.every(({ term, offset }) => positions.get(term)?.has(start + offset) === true),
      ),
    );
  const scores = new Map(all.map((one) => [one, 0]));
  for (const { term } of query.terms) {
    const holders = all.filter((one) => one.fields.some(({ counts }) => counts.has(term)));
    const idf = Math.log(1 + (all.length - holders.length + 0.5) / (holders.length + 0.5));
    for (const one of holders) {
      let weighted = 0;
      for (const [place, field] of FIELDS.entries()) {
        const { weight, b } = FIELD_WEIGHTS[field];
        const { counts, length } = one.fields[place] as Analyzed["fields"][number];
        const average = averages[place] as number;
        const norm = average > 0 ? 1 - b + (b * length) / average : 1;
        weighted += (weight * (counts.get(term) ?? 0)) / norm;
      }
      scores.set(one, (scores.get(one) ?? 0) + (idf * weighted) / (K1 + weighted));
    }
  }
  return [...scores]
    .filter(([one, score]) => score > 0 && query.phrases.every((phrase) => holds(one, phrase)))
    .filter(([one]) => !query.exclusions.some((phrase) => holds(one, phrase)))
    .map(([one, score]) => ({ metadata: one.document.metadata, score }))
    .sort(compareHits)
    .slice(0, limit);
}
