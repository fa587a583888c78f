import type { Field } from "./index/document/index-document.ts";
import { SPECIAL, wellFormed, FIELD_COUNT } from "./index/document/index-document.ts";
import { compare } from "../machine/read-fields.ts";
import { type MemoryMetadata, type Status, SALIENCES, type StoreKind } from "../memory/memory.ts";
import type { FieldWeight } from "./score-segments.ts";
import type { Segment } from "./index/segment/segment.ts";
import type { ParsedQuery, PhraseWord } from "./parse-query.ts";
import { decodePositions, emptyPostings } from "./index/segment/posting-list.ts";
import type { TypePolicy } from "../memory/memory-type.ts";

/** What is looked for, and among which memories. Filters narrow the hits, never the statistics behind the scores. */
export interface SearchQuery {
  /** Words. Blank: every memory that passes the filters, by salience and age. */
  text: string;
  /** `query` (default): `"phrase"` required, `prefix*`, `-excluded`. `prompt`: no syntax. */
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

export interface ScoreTerm {
  term: string;
  field: Field;
  frequency: number;
  idf: number;
  weight: number;
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
  parsed: ParsedQuery,
): Uint8Array | undefined {
  let admitted: Uint8Array | undefined = segment.dead?.map((flag) => 1 - flag);
  const keepOnly = (...lists: readonly Iterable<number>[]): void => {
    const kept = new Uint8Array(segment.documentCount);
    for (const documents of lists)
      for (const document of documents)
        if (admitted === undefined || admitted[document] === 1) kept[document] = 1;
    admitted = kept;
  };
  const keepListed = (terms: readonly string[]): void => {
    const entries = terms.flatMap((term) => segment.dictionary.find(wellFormed(term)) ?? []);
    keepOnly(...entries.map((entry) => segment.documentsOf(entry)));
  };
  if (query.types !== undefined) keepListed(query.types.map((type) => SPECIAL.type + type));
  if (query.statuses !== undefined) keepListed(query.statuses.map((status) => SPECIAL.status + status));
  for (const tag of query.tags ?? []) keepListed([SPECIAL.tag + tag.toLowerCase()]);
  for (const phrase of parsed.phrases) keepOnly(documentsWithPhrase(segment, phrase));
  for (const phrase of parsed.exclusions) exclude(phrase);
  return admitted;

  function exclude(phrase: readonly PhraseWord[]): void {
    admitted ??= new Uint8Array(segment.documentCount).fill(1);
    for (const document of documentsWithPhrase(segment, phrase)) admitted[document] = 0;
  }
}

/** Documents that hold the words of a phrase at their distances in one field; stop words match any word. */
function documentsWithPhrase(segment: Segment, phrase: readonly PhraseWord[]): Set<number> {
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
