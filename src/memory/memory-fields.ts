import { LIMITS } from "./limits.ts";
import {
  type MemoryHeader,
  CONFIDENCES,
  LINK_RELATIONS,
  QUOTED_PARTS,
  SALIENCES,
  SOURCES,
  STATUSES,
  STORE_KINDS,
} from "./memory.ts";

/** What a field may hold, who may give it, and how it is explained. */
export interface Field {
  /** `word`: one of `words`. `time`: an ISO date or time. `map`: texts (or a list of them) by name. `data`: anything. */
  readonly kind: "text" | "word" | "time" | "list" | "links" | "map" | "data" | "flag";
  readonly words?: readonly string[];
  readonly parts?: readonly string[];
  readonly maxChars?: number;
  readonly maxItems?: number;
  /** Who alone gives it when a memory is written: a `person`, or `heed` itself. Absent: any writer. */
  readonly givenBy?: "person" | "heed";
  readonly doc: string;
}

interface MemoryField extends Field {
  /** Keys of the front matter: its name, then `otherKeys` of other tools; also with dashes, under `metadata` or at the top level. */
  readonly keys: readonly [string, ...string[]];
}

const { itemChars, listItems } = LIMITS;

const FIELDS: {
  readonly [K in keyof MemoryHeader]-?: Field & { key?: string; otherKeys?: readonly string[] };
} = {
  name: { kind: "text", maxChars: LIMITS.nameChars, doc: "the handle, kebab-case, unique in its store" },
  statement: {
    key: "description",
    otherKeys: ["summary"],
    kind: "text",
    maxChars: LIMITS.statementChars,
    doc: "one line: what selection reads, what the map shows, a rule's statement",
  },
  type: {
    kind: "text",
    doc: "feedback, user, project, reference, solution, procedure, episode, or a declared type",
  },
  id: { kind: "text", givenBy: "heed", doc: "a ULID; stays when the memory is renamed or moved" },
  created: { otherKeys: ["created_at"], kind: "time", givenBy: "heed", doc: "when it was written" },
  updated: {
    otherKeys: ["modified", "updated_at"],
    kind: "time",
    givenBy: "heed",
    doc: "when it was last changed",
  },
  verified: {
    otherKeys: ["last_verified_at"],
    kind: "time",
    givenBy: "heed",
    doc: "when it was last confirmed",
  },
  tags: {
    otherKeys: ["scopes"],
    kind: "list",
    maxChars: itemChars,
    maxItems: listItems,
    doc: "a few concrete nouns",
  },
  confidence: {
    kind: "word",
    words: CONFIDENCES,
    doc: "how sure the writer was; low: its title only",
  },
  source: { kind: "word", words: SOURCES, doc: "how heed came to know it" },
  status: { kind: "word", words: STATUSES, doc: "a superseded memory is found, never injected" },
  salience: { kind: "word", words: SALIENCES, doc: "order of rules, tie-break of conflicts" },
  scope: {
    kind: "map",
    parts: ["repo", "branch", "worktree", "paths"],
    maxChars: LIMITS.pathChars,
    maxItems: LIMITS.paths,
    doc: "where it applies; what is absent does not restrict",
  },
  trigger: {
    otherKeys: ["triggers"],
    kind: "list",
    maxChars: itemChars,
    maxItems: listItems,
    doc: "words that count double in a search, such as the text of an error",
  },
  aliases: {
    kind: "list",
    maxChars: itemChars,
    maxItems: LIMITS.aliases,
    doc: "other words that somebody might search for, at most five phrases of one to four words",
  },
  expires: {
    otherKeys: ["valid_until"],
    kind: "time",
    doc: "a date or time after which it counts as expired",
  },
  decayAfter: {
    kind: "time",
    givenBy: "heed",
    doc: "a date or time after which `heed check --fix` looks at it",
  },
  claims: {
    kind: "list",
    maxChars: LIMITS.claimChars,
    maxItems: LIMITS.claims,
    doc: "what it says about the repository that can be checked",
  },
  guard: {
    otherKeys: ["guards"],
    kind: "data",
    givenBy: "person",
    doc: "the part of a rule that is enforced at tool use",
  },
  links: {
    kind: "links",
    words: LINK_RELATIONS,
    maxItems: listItems,
    doc: "other memories, each as { rel, to }",
  },
  origin: {
    kind: "map",
    parts: ["repo", "branch", "commit", "session", "client", "actor", "door", "from", ...QUOTED_PARTS],
    givenBy: "heed",
    doc: "where it came from",
  },
};

/** Every field of a memory but its text, in file order. Files are read, checked and written by this table. */
export const MEMORY_FIELDS: Readonly<Record<keyof MemoryHeader, MemoryField>> = Object.fromEntries(
  Object.entries(FIELDS).map(([name, { key, otherKeys = [], ...field }]) => {
    const own = key ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return [name, { keys: [own, ...otherKeys], ...field }];
  }),
) as never;

export const FIELD_NAMES: readonly (keyof MemoryHeader)[] = Object.keys(
  MEMORY_FIELDS,
) as (keyof MemoryHeader)[];

/** What a writer may give besides the fields of the file. */
export const DRAFT_FIELDS: Readonly<
  Record<"body" | "quote" | "reason" | "how" | "store" | "replaces" | "keepsRelativeDates", Field>
> = {
  body: {
    kind: "text",
    maxChars: LIMITS.bodyChars,
    doc: "the text: markdown, with the sections that the type needs",
  },
  quote: { kind: "text", maxChars: LIMITS.reasonChars, doc: "the user's own words for it" },
  reason: { kind: "text", maxChars: LIMITS.reasonChars, doc: "the reason that the user gave" },
  how: { kind: "text", maxChars: LIMITS.reasonChars, doc: "how to apply it: when, and what to do then" },
  store: { kind: "word", words: STORE_KINDS, doc: "where it is kept; default: user" },
  replaces: { kind: "text", maxChars: LIMITS.handleChars, doc: "the memory that this one replaces" },
  keepsRelativeDates: {
    kind: "flag",
    givenBy: "person",
    doc: 'keep words such as "next friday" as they are (only a person may)',
  },
};
