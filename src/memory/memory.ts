/**
 * What a memory is once it has been read: one typed markdown file as plain data.
 *
 * Times are ISO 8601 strings in UTC. Lists are never absent, only empty. What the file does not say and what has
 * a default carries the default of its type; what has none is left out.
 */

/** How sure the writer was; `low` is offered as a pointer at most. */
export const CONFIDENCES = ["low", "medium", "high"] as const;
export type Confidence = (typeof CONFIDENCES)[number];

/** How heed came to know it: told, seen, deduced, or pointed to. Deduced statements about the user wait. */
export const SOURCES = ["instructed", "observed", "inferred", "referenced"] as const;
export type Source = (typeof SOURCES)[number];

/** `superseded` memories are findable but never enter the context; `provisional` ones are marked as such. */
export const STATUSES = ["open", "provisional", "confirmed", "superseded"] as const;
export type Status = (typeof STATUSES)[number];

/** Order of rules, and the tie-break of conflicts (then the newer wins). */
export const SALIENCES = ["low", "medium", "high"] as const;
export type Salience = (typeof SALIENCES)[number];

/** How one memory relates to another. */
export const LINK_RELATIONS = ["supersedes", "contradicts", "related", "extends"] as const;
export type LinkRelation = (typeof LINK_RELATIONS)[number];

/** A typed link; `to` is the id or the name of the other memory. */
export interface Link {
  rel: LinkRelation;
  to: string;
}

/** Where a memory applies. An absent field does not restrict. */
export interface Scope {
  /** Repository identity (see store/repository-identity), for example `github.com/acme/api`. */
  repo?: string;
  branch?: string;
  /** Path globs, relative to the repository's root. A rule with paths comes at the first tool use on such a path. */
  paths: string[];
}

/** Where a memory came from. */
export interface Origin {
  repo?: string;
  branch?: string;
  commit?: string;
  session?: string;
  client?: string;
  actor?: string;
  /** How the user agreed (see `Door`); absent: they have not, or before doors were recorded. */
  door?: string;
}

/** Everything a memory says about itself except its text: what selection and policies work on. */
export interface MemoryHeader {
  /** ULID; a memory whose file gives none gets a stable one derived from its place (see codec). */
  id: string;
  /** Kebab-case, unique in its store; the handle under which it is cited. A draft without one gets it from its description. */
  name: string;
  /** One line: what selection reads, and what a pointer or a rule's statement shows. */
  description: string;
  /** The name of a built-in or declared type (see memory-type). */
  type: string;
  created?: string;
  updated?: string;
  /** When its claims were last attested; absent means never, which is a status of its own. */
  verified?: string;
  tags: string[];
  aliases: string[];
  trigger: string[];
  confidence: Confidence;
  source: Source;
  status: Status;
  salience: Salience;
  scope: Scope;
  /** ISO date or time after which the memory is not injected. */
  expires?: string;
  /** ISO date or time after which `heed tidy` lets the memory go into the history. */
  decayAfter?: string;
  /**
   * What it states about the repository and can be checked (see `parseClaim`); each must hold when it is written. What
   * its text names and holds is added by heed.
   */
  claims: string[];
  links: Link[];
  origin: Origin;
  /** Raw guard, as the file has it; only `guard/` interprets it. */
  guard?: unknown;
}

/** A memory with its text (markdown, without the front matter, LF line ends). */
export interface Memory extends MemoryHeader {
  body: string;
}
