import { LINK_RELATIONS, STATUSES } from "./memory.ts";

/** How much may be written and asked at once. Gates, tool schemas, help texts and docs/reference/limits.md take it from here. */
export const LIMITS = {
  nameChars: 80,
  /** One line that selection reads and pointers show. */
  statementChars: 300,
  /** The largest memory of the real stores that heed was measured on has 19,000. */
  bodyChars: 20_000,
  listItems: 12,
  itemChars: 60,
  aliases: 5,
  /** Of one alias. */
  aliasWords: 4,
  claims: 50,
  claimChars: 500,
  paths: 50,
  pathChars: 200,
  handleChars: 300,
  shownAtOnce: 12,
  /** Characters of a reason or quote; a longer note is cut. */
  reasonChars: 500,
  queryChars: 10_000,
} as const;

export type Limits = Readonly<Record<keyof typeof LIMITS, number>>;

export const WORDS: { readonly linkRelation: typeof LINK_RELATIONS; readonly status: typeof STATUSES } = {
  linkRelation: LINK_RELATIONS,
  status: STATUSES,
};
