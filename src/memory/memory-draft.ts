import type { Confidence, Link, Memory, Salience, Source, Status } from "./memory.ts";
import type { StoreKind } from "./memory-card.ts";
import type { Relation } from "./relation.ts";

/** What a writer brings. Everything but type, description (or a title) and body has a default. */
export interface MemoryDraft {
  type: string;
  /** Handle; default: made from the description. */
  name?: string;
  description: string;
  body: string;
  /** The user's words on which it rests, verbatim; they stand in the body as a quotation. */
  quote?: string;
  /** The reason that the user gave; it stands in the body under its label. */
  reason?: string;
  tags?: string[];
  aliases?: string[];
  trigger?: string[];
  confidence?: Confidence;
  source?: Source;
  status?: Status;
  salience?: Salience;
  /** `everywhere`, or path globs and a branch in the repository at hand. Default: as the type says. */
  scope?: "everywhere" | { paths?: string[]; branch?: string };
  /** The day after which it no longer holds, as ISO date or time. */
  expires?: string;
  links?: Link[];
  /**
   * What it states about the repository and can be checked (see `parseClaim`); each must hold. What its text names and
   * holds is added by heed.
   */
  claims?: string[];
  /** Default: `project` for a memory about this repository when a project store exists, else `user`. */
  store?: StoreKind;
  /** How it relates to a memory that it resembles. Asked for only where search finds near ones. */
  relation?: Relation;
  /** A person keeps words such as "next friday" as they are; of anybody else it is not heard. */
  keepsRelativeDates?: boolean;
}

/** A memory as the draft that would write it anew, in the place where it is. */
export function draftOf(memory: Memory): MemoryDraft {
  const { type, name, description, body, tags, aliases, trigger } = memory;
  const { confidence, source, status, salience, links, expires } = memory;
  return {
    type,
    name,
    description,
    body,
    tags,
    aliases,
    trigger,
    confidence,
    source,
    status,
    salience,
    links,
    ...(expires !== undefined && { expires }),
  };
}
