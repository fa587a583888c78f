import {
  ACTOR_KINDS,
  CONFIDENCES,
  LINK_RELATIONS,
  SALIENCES,
  SOURCES,
  STATUSES,
  RELATION_KINDS,
  STORE_KINDS,
} from "./memory.ts";
import { MAX_CLAIM_CHARS, MAX_CLAIMS } from "./claims/parse-claim.ts";

/** How much may be written and asked at once. Gates, tool schemas, help texts and docs/limits.md take it from here. */
export interface Limits {
  /** Characters of a memory's name. */
  readonly nameChars: number;
  /** Characters of a description: one line that selection reads and pointers show. */
  readonly descriptionChars: number;
  /** Characters of a body: the largest memory of the real stores that heed was measured on has 19,000. */
  readonly bodyChars: number;
  /** Items of tags, triggers, aliases and links each. */
  readonly listItems: number;
  /** Characters of one tag, trigger or alias. */
  readonly itemChars: number;
  /** Claims of a memory. */
  readonly claims: number;
  /** Characters of a claim. */
  readonly claimChars: number;
  /** Path globs of a scope. */
  readonly paths: number;
  /** Characters of a path glob. */
  readonly pathChars: number;
  /** Characters of a handle that is asked for. */
  readonly handleChars: number;
  /** Memories that are shown in one call. */
  readonly shownAtOnce: number;
  /** Characters of a reason, quote or note that is kept; a longer note is cut. */
  readonly reasonChars: number;
  /** Characters of a search's query. */
  readonly queryChars: number;
}

export const LIMITS: Limits = {
  nameChars: 80,
  descriptionChars: 300,
  bodyChars: 20_000,
  listItems: 12,
  itemChars: 60,
  claims: MAX_CLAIMS,
  claimChars: MAX_CLAIM_CHARS,
  paths: 50,
  pathChars: 200,
  handleChars: 300,
  shownAtOnce: 12,
  reasonChars: 500,
  queryChars: 10_000,
};

/** The words that a field may have: what schemas and help texts offer. */
export const WORDS: {
  readonly confidence: typeof CONFIDENCES;
  readonly source: typeof SOURCES;
  readonly status: typeof STATUSES;
  readonly salience: typeof SALIENCES;
  readonly linkRelation: typeof LINK_RELATIONS;
  readonly relation: typeof RELATION_KINDS;
  readonly storeKind: typeof STORE_KINDS;
  readonly actorKind: typeof ACTOR_KINDS;
} = {
  confidence: CONFIDENCES,
  source: SOURCES,
  status: STATUSES,
  salience: SALIENCES,
  linkRelation: LINK_RELATIONS,
  relation: RELATION_KINDS,
  storeKind: STORE_KINDS,
  actorKind: ACTOR_KINDS,
};
