import type { Memory } from "./memory.ts";
import type { StoreKind } from "./memory-metadata.ts";
import type { Relation } from "./relation.ts";

/** The fields that a draft copies from a memory, as they are. */
const COPIED = [
  "type",
  "name",
  "description",
  "body",
  "tags",
  "aliases",
  "trigger",
  "confidence",
  "source",
  "status",
  "salience",
  "links",
  "expires",
] as const;

/** Fields of a memory that a writer may give, each with a default. */
export type OptionalDraftField = Exclude<(typeof COPIED)[number], "type" | "description" | "body"> | "claims";

/** What a writer brings. Everything but type, description (or a title) and body has a default. */
export interface MemoryDraft extends Partial<Pick<Memory, OptionalDraftField>> {
  type: string;
  description: string;
  body: string;
  /** The user's words on which it rests, verbatim; they stand in the body as a quotation. */
  quote?: string;
  /** The reason that the user gave; it stands in the body under its label. */
  reason?: string;
  /** `everywhere`, or path globs and a branch in the repository at hand. Default: as the type says. */
  scope?: "everywhere" | { paths?: string[]; branch?: string };
  /** Default: `project` for a memory about this repository when a project store exists, else `user`. */
  store?: StoreKind;
  /** How it relates to a memory that it resembles. Asked for only where search finds near ones. */
  relation?: Relation;
  /** Keeps words such as "next friday" as they are; ignored unless a person writes. */
  keepsRelativeDates?: boolean;
}

/** A memory as the draft that would write it again, in the place where it is. */
export function draftOf(memory: Memory): MemoryDraft {
  const copied = COPIED.filter((field) => memory[field] !== undefined).map((field) => [field, memory[field]]);
  return Object.fromEntries(copied) as MemoryDraft;
}
