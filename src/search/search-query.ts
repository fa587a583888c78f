import {
  CharacterClass,
  characterClassOf,
  foldText,
  tokenize,
  TokenKind,
  analyzeField,
} from "./index/analysis/tokenize.ts";
import { type Field, type IndexDocument, fieldValuesOf } from "./index/document/index-document.ts";
import { SPECIAL } from "./index/document/index-document.ts";
import { compare } from "../machine/read-fields.ts";
import { type MemoryMetadata, type Status, SALIENCES, type StoreKind } from "../memory/memory.ts";
import type { FieldWeight, QueryTerm } from "./score-segments.ts";
import type { Segment } from "./index/segment/segment.ts";
import type { TypePolicy } from "../memory/memory-type.ts";

/** What is looked for, and among which memories. Filters narrow the hits, never the statistics behind the scores. */
export interface SearchQuery {
  /** Words. Blank: every memory that passes the filters, by salience and age. */
  text: string;
  /** `query` (default): `"phrase"` required, `prefix*`, `-excluded`; see {@link phraseTest}. `prompt`: no syntax. */
  syntax?: "query" | "prompt";
  limit?: number;
  types?: readonly string[];
  statuses?: readonly Status[];
  tags?: readonly string[];
  admits?: (metadata: MemoryMetadata) => boolean;
  /** Weight and length normalisation of each field; default FIELD_WEIGHTS, which suit memories. */
  fieldWeights?: Readonly<Record<Field, FieldWeight>>;
  isExplained?: boolean;
  /** Time, by performance.now, after which the search answers with what it has and says `isCut`; default none. */
  deadlineAtMs?: number;
}

/** One part of a hit's score. */
export interface ScoreTerm {
  term: string;
  field: Field;
  /** How often the term is in the field. */
  frequency: number;
  idf: number;
  /** Its part of the score; those of a hit add up to the score. */
  contribution: number;
}

export interface Hit {
  metadata: MemoryMetadata;
  score: number;
  /** With `isExplained`: largest contribution first. */
  terms?: ScoreTerm[];
}

const timeOf = (metadata: MemoryMetadata): number => {
  const time = Date.parse(metadata.updated ?? metadata.created ?? "");
  return Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time;
};

/** The one order of hits: score, salience, the newer, name, then store and file, so that no two are equal. */
export function compareHits(left: Hit, right: Hit): number {
  return (
    right.score - left.score ||
    SALIENCES.indexOf(right.metadata.salience) - SALIENCES.indexOf(left.metadata.salience) ||
    compare(timeOf(right.metadata), timeOf(left.metadata)) ||
    compare(left.metadata.name, right.metadata.name) ||
    compare(left.metadata.storeId, right.metadata.storeId) ||
    compare(left.metadata.file, right.metadata.file) ||
    compare(left.metadata.section ?? -1, right.metadata.section ?? -1)
  );
}

/** Documents of one segment that pass everything the index can decide by itself: 1 for each; absent: all pass. */
export function admittedDocuments(
  segment: Segment,
  query: SearchQuery,
  { phrases, exclusions }: ParsedQuery,
): Uint8Array | undefined {
  let admitted: Uint8Array | undefined = segment.dead?.map((flag) => 1 - flag);
  const mark = (terms: readonly string[], isKept: boolean): void => {
    const marked = new Uint8Array(segment.documentCount).fill(isKept ? 0 : 1);
    for (const term of terms)
      for (const document of segment.liveDocumentsOf(term.toWellFormed())) marked[document] = isKept ? 1 : 0;
    admitted = admitted?.map((flag, document) => flag & (marked[document] as number)) ?? marked;
  };
  if (query.types !== undefined)
    mark(
      query.types.map((type) => SPECIAL.type + type),
      true,
    );
  if (query.statuses !== undefined)
    mark(
      query.statuses.map((status) => SPECIAL.status + status),
      true,
    );
  for (const tag of query.tags ?? []) mark([SPECIAL.tag + tag.toLowerCase()], true);
  for (const { term } of phrases.flat()) mark([term], true);
  for (const [word, ...others] of exclusions) if (word && others.length === 0) mark([word.term], false);
  return admitted;
}

/** Whether the index alone cannot tell: it knows the words of a text, not their order. */
export const hasPhrases = ({ phrases, exclusions }: ParsedQuery): boolean =>
  [...phrases, ...exclusions].some(({ length }) => length > 1);

/** Tests the texts of the hits of a query that has phrases of several words, all of which are given; undefined without. */
export function phraseTest(text: string): ((document: IndexDocument) => boolean) | undefined {
  const query = parseQuery(text, "query");
  if (!hasPhrases(query)) return undefined;
  return (document) => {
    const fields = fieldValuesOf(document).map((values) => {
      const places = new Map<string, number[]>();
      analyzeField(values, (term, position) => {
        places.set(term, [...(places.get(term) ?? []), position]);
      });
      return places;
    });
    // Stop words between them match any word.
    const holds = (phrase: readonly PhraseWord[]): boolean =>
      fields.some((places) =>
        places
          .get(phrase[0]?.term ?? "")
          ?.some((start) => phrase.every(({ term, offset }) => places.get(term)?.includes(start + offset))),
      );
    return query.phrases.every(holds) && !query.exclusions.some(holds);
  };
}

export interface Here {
  /** The name of the repository at hand, as new scopes give it; undefined outside of one. */
  repository: string | undefined;
  /** Whether a scope's repository is the one at hand: it may answer to several names. */
  isRepositoryHere(repo: string): boolean;
  branch: string | undefined;
  worktree: string | undefined;
}

/** Why a memory does not apply here, if so. Without origin or scope it applies everywhere. */
export function scopeMismatch(
  metadata: Pick<MemoryMetadata, "scope" | "origin">,
  here: Here,
  storeKind: StoreKind,
  policy: TypePolicy | undefined,
): string | undefined {
  // A shared store holds where it is mounted for, and its rules where they say, not where they were written.
  const repo = storeKind === "team" ? metadata.scope.repo : repositoryOf(metadata, policy);
  if (storeKind !== "project" && repo !== undefined && !here.isRepositoryHere(repo)) {
    return `belongs to another repository (${repo})`;
  }
  if (metadata.scope.branch !== undefined && metadata.scope.branch !== here.branch) {
    return `belongs to another branch (${metadata.scope.branch})`;
  }
  const { worktree } = metadata.scope;
  return worktree === undefined || worktree === here.worktree
    ? undefined
    : `belongs to another worktree (${worktree})`;
}

/** Where a memory applies, in words: what {@link scopeMismatch} goes by. */
export function whereItHolds(
  metadata: Pick<MemoryMetadata, "scope" | "origin">,
  storeKind: StoreKind,
  policy: TypePolicy | undefined,
): string {
  const { branch, worktree, paths } = metadata.scope;
  const parts = [
    storeKind === "project"
      ? "the repository of its store"
      : storeKind === "team"
        ? (metadata.scope.repo ?? "the repositories of its store")
        : repositoryOf(metadata, policy),
    branch === undefined ? undefined : `branch ${branch}`,
    worktree === undefined ? undefined : `worktree ${worktree}`,
    paths.length === 0 ? undefined : paths.join(" "),
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? "everywhere" : parts.join(", ");
}

function repositoryOf(
  { scope, origin }: Pick<MemoryMetadata, "scope" | "origin">,
  policy: TypePolicy | undefined,
): string | undefined {
  return scope.repo ?? (policy?.reach === "everywhere" ? undefined : origin.repo);
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
