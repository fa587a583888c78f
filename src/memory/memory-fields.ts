import { LIMITS, WORDS } from "./limits.ts";
import {
  type MemoryHeader,
  CONFIDENCES,
  KINDS,
  LINK_RELATIONS,
  SALIENCES,
  SOURCES,
  STATUSES,
} from "./memory.ts";

/** What a field may hold, who may give it, and how it is explained. */
export interface Field {
  /** `word`: one of `words`. `time`: an ISO date or time. `map`: texts (or a list of them) by name. `data`: anything. */
  readonly kind: "text" | "word" | "time" | "list" | "links" | "map" | "data" | "flag";
  /** The words of a `word`; of `links`, those of a link's `rel`. */
  readonly words?: readonly string[];
  /** The parts of a `map`. */
  readonly parts?: readonly string[];
  /** Characters of a text, or of each item of a list, that a write may bring. */
  readonly maxChars?: number;
  /** Items of a list that a write may bring. */
  readonly maxItems?: number;
  /** Who may give it when a memory is written: `any` writer, or a `person` alone. Absent: heed fills it in. */
  readonly givenBy?: "any" | "person";
  /** What it holds, in one line: for schemas, help texts and docs. */
  readonly doc: string;
}

interface MemoryField extends Field {
  /**
   * Keys of the front matter under which it is read: heed's own, which is written, then those of other tools. Each is
   * also read with dashes for underscores, under `metadata` and at the top level (see FieldReader).
   */
  readonly keys: readonly [string, ...string[]];
}

const { itemChars, listItems } = LIMITS;

/** Every field of a memory but its text, in file order. Files are read, checked and written by this table. */
export const MEMORY_FIELDS: { readonly [K in keyof MemoryHeader]-?: MemoryField } = {
  name: {
    keys: ["name"],
    kind: "text",
    maxChars: LIMITS.nameChars,
    givenBy: "any",
    doc: "the handle, kebab-case, unique in its store",
  },
  description: {
    keys: ["description", "summary"],
    kind: "text",
    maxChars: LIMITS.descriptionChars,
    givenBy: "any",
    doc: "one line: what selection reads, what the map shows, a rule's statement",
  },
  type: {
    keys: ["type"],
    kind: "text",
    givenBy: "any",
    doc: "feedback, user, project, reference, solution, procedure, episode, or a declared type",
  },
  id: { keys: ["id"], kind: "text", doc: "a ULID; stays when the memory is renamed or moved" },
  created: { keys: ["created", "created_at"], kind: "time", doc: "when it was written" },
  updated: {
    keys: ["updated", "modified", "updated_at"],
    kind: "time",
    doc: "when it was changed last",
  },
  verified: {
    keys: ["verified", "last_verified_at"],
    kind: "time",
    doc: "when its claims were attested last",
  },
  tags: {
    keys: ["tags", "scopes"],
    kind: "list",
    maxChars: itemChars,
    maxItems: listItems,
    givenBy: "any",
    doc: "a few concrete nouns",
  },
  confidence: {
    keys: ["confidence"],
    kind: "word",
    words: CONFIDENCES,
    givenBy: "any",
    doc: "how sure the writer was; a low one is a line at most",
  },
  source: { keys: ["source"], kind: "word", words: SOURCES, givenBy: "any", doc: "how heed came to know it" },
  status: {
    keys: ["status"],
    kind: "word",
    words: STATUSES,
    givenBy: "any",
    doc: "a superseded memory is found, never injected",
  },
  salience: {
    keys: ["salience"],
    kind: "word",
    words: SALIENCES,
    givenBy: "any",
    doc: "order of rules, tie-break of conflicts",
  },
  kind: {
    keys: ["kind"],
    kind: "word",
    words: KINDS,
    givenBy: "any",
    doc: "limitation: something is missing or does not work for now; needs evidence, lapses after 30 days",
  },
  seen: {
    keys: ["seen"],
    kind: "time",
    givenBy: "any",
    doc: "the day on which a limitation was found to be so; default: today",
  },
  scope: {
    keys: ["scope"],
    kind: "map",
    parts: ["repo", "branch", "worktree", "paths"],
    maxChars: LIMITS.pathChars,
    maxItems: LIMITS.paths,
    givenBy: "any",
    doc: "where it applies; what is absent does not restrict",
  },
  trigger: {
    keys: ["trigger", "triggers"],
    kind: "list",
    maxChars: itemChars,
    maxItems: listItems,
    givenBy: "any",
    doc: "words that count double when a memory is looked for, as those of an error",
  },
  aliases: {
    keys: ["aliases"],
    kind: "list",
    maxChars: itemChars,
    maxItems: listItems,
    givenBy: "any",
    doc: "other names of what it is about; they count double when a memory is looked for",
  },
  expires: {
    keys: ["expires", "valid_until"],
    kind: "time",
    givenBy: "any",
    doc: "a date or time after which it is injected as expired, or not at all",
  },
  decayAfter: {
    keys: ["decay_after"],
    kind: "time",
    doc: "a date or time after which `heed tidy` looks at it",
  },
  claims: {
    keys: ["claims"],
    kind: "list",
    maxChars: LIMITS.claimChars,
    maxItems: LIMITS.claims,
    givenBy: "any",
    doc: "what it states about the repository and can be checked",
  },
  guard: {
    keys: ["guard", "guards"],
    kind: "data",
    givenBy: "person",
    doc: "the part of a rule that is enforced at tool use",
  },
  links: {
    keys: ["links"],
    kind: "links",
    words: LINK_RELATIONS,
    maxItems: listItems,
    givenBy: "any",
    doc: "other memories, each as { rel, to }",
  },
  origin: {
    keys: ["origin"],
    kind: "map",
    parts: ["repo", "branch", "commit", "session", "client", "actor", "door"],
    doc: "where it came from",
  },
};

/** The fields in the order of the table. */
export const FIELD_NAMES: readonly (keyof MemoryHeader)[] = Object.keys(
  MEMORY_FIELDS,
) as (keyof MemoryHeader)[];

/** What a writer may give besides the fields of the file. */
export const DRAFT_FIELDS: Readonly<
  Record<"body" | "quote" | "reason" | "store" | "relation" | "keepsRelativeDates", Field>
> = {
  body: {
    kind: "text",
    maxChars: LIMITS.bodyChars,
    givenBy: "any",
    doc: "the text: markdown, with the sections that the type needs",
  },
  quote: { kind: "text", maxChars: LIMITS.reasonChars, givenBy: "any", doc: "the user's own words for it" },
  reason: {
    kind: "text",
    maxChars: LIMITS.reasonChars,
    givenBy: "any",
    doc: "the reason that the user gave",
  },
  store: { kind: "word", words: WORDS.storeKind, givenBy: "any", doc: "where it is kept; default: by type" },
  relation: {
    kind: "map",
    parts: ["kind", "to"],
    words: WORDS.relation,
    givenBy: "any",
    doc: "how it relates to a memory that it resembles",
  },
  keepsRelativeDates: {
    kind: "flag",
    givenBy: "person",
    doc: 'keep words such as "next friday" as they are (only a person may)',
  },
};
