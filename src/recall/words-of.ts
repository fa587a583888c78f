import { analyzeField, TokenKind } from "../index/analysis/tokenize.ts";

/** No comparison needs more of a text. */
const MAX_CHARS = 20_000;

/** The content words of a text as search knows them, identifiers as their parts: for comparing texts. */
export function wordsOf(text: string): Set<string> {
  const words = new Set<string>();
  analyzeField([text.slice(0, MAX_CHARS)], (term, _position, kind) => {
    if (kind !== TokenKind.identifier) words.add(term);
  });
  return words;
}
