import { LINK_RELATIONS, STATUSES } from "./memory.ts";
import { MAX_CLAIM_CHARS, MAX_CLAIMS } from "./claims/parse-claim.ts";

/** How much may be written and asked at once. Gates, tool schemas, help texts and docs/reference/limits.md take it from here. */
export interface Limits {
  readonly nameChars: number;
  /** One line that selection reads and pointers show. */
  readonly descriptionChars: number;
  /** The largest memory of the real stores that heed was measured on has 19,000. */
  readonly bodyChars: number;
  readonly listItems: number;
  readonly itemChars: number;
  readonly aliases: number;
  /** Of one alias. */
  readonly aliasWords: number;
  readonly claims: number;
  readonly claimChars: number;
  readonly paths: number;
  readonly pathChars: number;
  readonly handleChars: number;
  readonly shownAtOnce: number;
  /** Characters of a reason or quote; a longer note is cut. */
  readonly reasonChars: number;
  readonly queryChars: number;
}

export const LIMITS: Limits = {
  nameChars: 80,
  descriptionChars: 300,
  bodyChars: 20_000,
  listItems: 12,
  itemChars: 60,
  aliases: 5,
  aliasWords: 4,
  claims: MAX_CLAIMS,
  claimChars: MAX_CLAIM_CHARS,
  paths: 50,
  pathChars: 200,
  handleChars: 300,
  shownAtOnce: 12,
  reasonChars: 500,
  queryChars: 10_000,
};

export const WORDS: { readonly linkRelation: typeof LINK_RELATIONS; readonly status: typeof STATUSES } = {
  linkRelation: LINK_RELATIONS,
  status: STATUSES,
};
