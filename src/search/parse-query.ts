import type { TokenKindValue } from "./index/analysis/tokenize.ts";
import {
  CharacterClass,
  characterClassOf,
  foldText,
  tokenize,
  TokenKind,
  analyzeField,
} from "./index/analysis/tokenize.ts";

export interface QueryTerm {
  term: string;
  kind: TokenKindValue;
  isPrefix: boolean;
}

export interface PhraseWord {
  term: string;
  offset: number;
}

export interface ParsedQuery {
  terms: QueryTerm[];
  phrases: PhraseWord[][];
  exclusions: PhraseWord[][];
  isBlank: boolean;
}

/** Reads the beginning and the end of a longer text: a pasted log comes between the request and its repetition. */
const HEAD_LENGTH = 8000;
const TAIL_LENGTH = 4000;

/** A word, or a phrase in quotes with an optional minus. Plain: a cold search pays for compiling it. */
const PIECES = /(-?)"([^"]+)"|[^\s"]+/g;

const startsWithWord = (text: string): boolean =>
  characterClassOf(text.codePointAt(0) ?? 0) !== CharacterClass.other;

/** Reads a query with or without syntax (see SearchQuery.syntax). Never throws: what is no syntax is words. */
export function parseQuery(text: string, syntax: "query" | "prompt"): ParsedQuery {
  const cut =
    text.length > HEAD_LENGTH + TAIL_LENGTH
      ? `${text.slice(0, HEAD_LENGTH)}\n${text.slice(-TAIL_LENGTH)}`
      : text;
  const query: ParsedQuery = { terms: [], phrases: [], exclusions: [], isBlank: text.trim() === "" };
  if (syntax === "prompt") {
    query.terms = distinct(termsOf(cut));
    return query;
  }
  const terms: QueryTerm[] = [];
  const words: string[] = [];
  for (const [whole, minus, phrase] of cut.matchAll(PIECES)) {
    if (phrase !== undefined) {
      if (minus === "-") query.exclusions.push(phraseOf(phrase));
      else {
        query.phrases.push(phraseOf(phrase));
        words.push(phrase);
      }
    } else if (whole.startsWith("-") && startsWithWord(whole.slice(1)))
      query.exclusions.push(phraseOf(whole.slice(1)));
    else if (whole.endsWith("*")) terms.push(...prefixOf(whole.slice(0, -1), words));
    else words.push(whole);
  }
  query.terms = distinct([...termsOf(words.join("\n")), ...terms]);
  query.phrases = query.phrases.filter((phrase) => phrase.length > 0);
  query.exclusions = query.exclusions.filter((phrase) => phrase.length > 0);
  return query;
}

/** The last word before the star; the text before it goes to the other words. */
function prefixOf(text: string, words: string[]): QueryTerm[] {
  const folded = foldText(text);
  let start = folded.length;
  while (start > 0 && characterClassOf(folded.charCodeAt(start - 1)) !== CharacterClass.other) start--;
  words.push(folded.slice(0, start));
  if (start === folded.length) return [];
  return [{ term: folded.slice(start).toLowerCase(), kind: TokenKind.word, isPrefix: true }];
}

/** The terms to search for: stop words and lone characters only when there is nothing better. */
function termsOf(text: string): QueryTerm[] {
  const content: (QueryTerm & { position: number })[] = [];
  const stops: QueryTerm[] = [];
  const paired = new Set<number>();
  tokenize(text, (term, position, kind, isStop) => {
    if (isStop) stops.push({ term, kind, isPrefix: false });
    else content.push({ term, kind, isPrefix: false, position });
    if (kind === TokenKind.pair) paired.add(position).add(position + 1);
  });
  if (content.length === 0) return stops;
  return content
    .filter(({ kind, position }) => kind !== TokenKind.character || !paired.has(position))
    .map(({ term, kind }) => ({ term, kind, isPrefix: false }));
}

function distinct(terms: readonly QueryTerm[]): QueryTerm[] {
  const byKey = new Map<string, QueryTerm>();
  for (const term of terms) {
    const key = term.isPrefix ? `${term.term}*` : term.term;
    if (!byKey.has(key)) byKey.set(key, term);
  }
  return [...byKey.values()];
}

/** The words of a phrase; of identifiers their parts, so that "pre-commit hook" is found however it is joined. */
function phraseOf(text: string): PhraseWord[] {
  const words = new Map<number, string>();
  const identifiers = new Map<number, string>();
  tokenize(text, (term, position, kind, isStop) => {
    if (isStop || kind === TokenKind.character) {
      if (kind === TokenKind.character && !words.has(position) && !identifiers.has(position))
        identifiers.set(position, term);
      return;
    }
    if (kind === TokenKind.identifier) {
      if (!identifiers.has(position)) identifiers.set(position, term);
    } else words.set(position, term);
  });
  const merged = new Map([...identifiers, ...words]);
  const positions = [...merged.keys()].sort((left, right) => left - right);
  const first = positions[0] ?? 0;
  return positions.map((position) => ({ term: merged.get(position) as string, offset: position - first }));
}

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
