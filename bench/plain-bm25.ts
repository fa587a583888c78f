import { TokenKind, tokenize } from "../src/search/index/analysis/tokenize.ts";

/** A text with the name under which it is found. */
export interface PlainDocument {
  id: string;
  text: string;
}

const K1 = 1.2;
const B = 0.75;

/**
 * BM25 over one field (k1 1.2, b 0.75), words stemmed and function words left out as heed does it: the baseline that
 * fields, weights and everything else have to beat. Returns a search: a query and a number of hits to the best ones.
 */
export function plainBm25Index(
  documents: readonly PlainDocument[],
): (query: string, limit: number) => { id: string; score: number }[] {
  const postings = new Map<string, Map<number, number>>();
  const lengths = documents.map(({ text }, document) => {
    let length = 0;
    for (const term of termsOf(text)) {
      length++;
      const list = postings.get(term) ?? new Map<number, number>();
      postings.set(term, list.set(document, (list.get(document) ?? 0) + 1));
    }
    return length;
  });
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  return (query, limit) => {
    const scores = new Map<number, number>();
    for (const term of new Set(termsOf(query))) {
      const list = postings.get(term);
      if (list === undefined) continue;
      const idf = Math.log(1 + (documents.length - list.size + 0.5) / (list.size + 0.5));
      for (const [document, frequency] of list) {
        const norm = K1 * (1 - B + (B * lengths[document]!) / average);
        const score = (idf * frequency * (K1 + 1)) / (frequency + norm);
        scores.set(document, (scores.get(document) ?? 0) + score);
      }
    }
    return [...scores]
      .sort(([a, left], [b, right]) => right - left || a - b)
      .slice(0, limit)
      .map(([document, score]) => ({ id: documents[document]!.id, score }));
  };
}

function termsOf(text: string): string[] {
  const terms: string[] = [];
  tokenize(text, (term, _position, kind, isStop) => {
    if (!isStop && kind !== TokenKind.character) terms.push(term);
  });
  return terms;
}

/** How many of the query's words of four letters or more occur as they are written; ties in the order of the documents. */
export function grepIndex(
  documents: readonly PlainDocument[],
): (query: string, limit: number) => { id: string; score: number }[] {
  const texts = documents.map(({ id, text }) => ({ id, text: text.toLowerCase() }));
  return (query, limit) => {
    const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_-]{4,}/gu) ?? [])];
    return texts
      .map(({ id, text }) => ({ id, score: words.filter((word) => text.includes(word)).length }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, limit);
  };
}
