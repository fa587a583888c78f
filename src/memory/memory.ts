import type { HostileKind } from "./screening/hostile-text.ts";
import type { GateName } from "../machine/heed-error.ts";
import { compare } from "../machine/read-fields.ts";

/** A memory to be written. Everything but type and statement has a default. */
export interface NewMemory extends Omit<MemoryDraft, "body"> {
  /** Markdown, with the sections that the type needs. Default: the statement. */
  body?: string;
  /**
   * The guard that enforces a rule, as under `guard` in its file, or that as YAML or JSON text. A person's is
   * put into force; anybody else's waits for a person.
   */
  guard?: Record<string, unknown> | Record<string, unknown>[] | string;
}

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

export const LINK_RELATIONS = ["supersedes", "contradicts", "related", "extends"] as const;
export type LinkRelation = (typeof LINK_RELATIONS)[number];

/** A typed link; `to` is the id or the name of the other memory. */
export interface Link {
  rel: LinkRelation;
  to: string;
}

export interface Scope {
  /** Repository identity (see machine/repository-identity), for example `github.com/acme/api`. */
  repo?: string;
  branch?: string;
  /** The root of one work tree on this machine (`git worktree`). */
  worktree?: string;
  /** Path globs, relative to the repository's root. A rule with paths comes at the first tool use on such a path. */
  paths: string[];
}

export interface Origin {
  repo?: string;
  branch?: string;
  commit?: string;
  session?: string;
  client?: string;
  actor?: string;
  /** How the user agreed (see `Door`); absent: they have not, or before doors were recorded. */
  door?: string;
  /** Of what was imported, the place of its source: `.cursor/rules/sql.mdc:6`. */
  from?: string;
  /** Of the user's line that its text quotes, the part that was the quote; absent: all of it. */
  quote?: string;
  /** The reason that the user typed, letter by letter: it is told with the rule. */
  reason?: string;
  /** `line`: the user's line is told first, as the statement is the writer's reading of it. */
  first?: string;
}

export const QUOTED_PARTS = ["quote", "reason", "first"] as const;
export type QuotedOrigin = Pick<Origin, (typeof QUOTED_PARTS)[number]>;

/** Everything a memory says about itself except its text: what selection and policies work on. */
export interface MemoryHeader {
  /** ULID; a memory whose file gives none gets a stable one derived from its place (see codec). */
  id: string;
  /** Kebab-case, unique in its store; the handle under which it is cited. A draft without one gets it from its statement. */
  name: string;
  /** One line: what selection reads, and what a pointer or a rule's statement shows. */
  statement: string;
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
  /** ISO date or time after which `heed check --fix` lets the memory go into the history. */
  decayAfter?: string;
  /** Checkable statements about the repository; each holds when written. */
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

/** When a memory was removed, ISO (empty: not known), and why. */
export interface Removal {
  removed: string;
  reason: string;
}

/** A person, the model of a session, heed's own hooks, or what was brought in from elsewhere. */
export const ACTOR_KINDS = ["person", "model", "hook", "import"] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

/** Who acts. A person's word confirms, a model's does not; a command line without a typing person counts as `model`. */
export interface Actor {
  kind: ActorKind;
  client?: string;
  session?: string;
  /** Id of the subagent that made the call. A subagent has no user. */
  agent?: string;
  /** The door by which a person came; default: the terminal. */
  door?: Door;
}

/** How the user agreed: quoted words, the client's dialog, a typed formula, a terminal, the local page. */
export const DOORS = ["quote", "dialog", "formula", "terminal", "page"] as const;
export type Door = (typeof DOORS)[number];

/** A store as the layers above the files see it: what it is, where it is, and whether its rules are in force. */
export interface StoreRef {
  /** Stable identity; survives moving and cloning the directory. */
  id: string;
  kind: StoreKind;
  root: string;
  /** Made or approved on this machine. Otherwise its memories are data: nothing in it is presented as a rule. */
  isTrusted: boolean;
  /** Written only through its own tool (attached stores, unless the user said otherwise), or in its repository. */
  isReadOnly: boolean;
  /** Of a team store on a server: the server's address, without a password, and who sees the store. */
  server?: { url: string; audience: string };
  /** Of a shared store: its address and the commit that it is pinned to, as `github.com/acme/rules@1a2b3c4`. */
  source?: string;
}

/** Whose files a store holds: the user's own, the repository's, a team's for many repositories, or those of another tool. */
export const STORE_KINDS = ["user", "project", "team", "attached"] as const;
export type StoreKind = (typeof STORE_KINDS)[number];

/** A stored memory's header and place, kept by the index so that no file is opened to decide. */
export interface MemoryMetadata extends MemoryHeader {
  storeId: string;
  /** Path of the file relative to the store's root, with forward slashes. */
  file: string;
  /** For a file that holds several memories (one a `##` section): which one, from 0. Such memories are read-only. */
  section?: number;
  /** Modification time in milliseconds and size in bytes of the file when it was read: a cheap test for change. */
  mtimeMs: number;
  sizeBytes: number;
  /** First 16 hex digits of the SHA-256 of the memory's raw text: tells whether it changed since it was shown. */
  contentHash: string;
  bodyLength: number;
  /** What findHostile found: injected nowhere until a person releases it. Mostly absent. */
  flags?: readonly HostileKind[];
}

/** Identity of a memory on this machine, whatever its file. Logs keep it: its form must stay. */
export function memoryKey(metadata: Pick<MemoryMetadata, "storeId" | "id">): string {
  return `${metadata.storeId}:${metadata.id}`;
}

/** When it was last written; empty where it does not say. */
export const writtenAt = ({ updated, created = "" }: Pick<MemoryHeader, "updated" | "created">): string =>
  updated ?? created;

/** The order of memories, the newest first. */
export const byNewest = (a: MemoryHeader, b: MemoryHeader): number => compare(writtenAt(b), writtenAt(a));

const COPIED = [
  "type",
  "name",
  "statement",
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
export type OptionalDraftField = Exclude<(typeof COPIED)[number], "type" | "statement" | "body"> | "claims";

/** What a writer brings. Everything but type, statement (or a title) and body has a default. */
export interface MemoryDraft extends Partial<Pick<Memory, OptionalDraftField>> {
  type: string;
  statement: string;
  body: string;
  quote?: string;
  /** The reason that the user gave; it goes into the body under its label, as does `how` to apply it. */
  reason?: string;
  how?: string;
  /** `everywhere`, or path globs, a branch, the worktree at hand in this repository. Default: as the type says. */
  scope?: "everywhere" | { paths?: string[]; branch?: string; worktree?: boolean | string };
  /** Default: `user`, whatever it is about. */
  store?: StoreKind;
  /** Handle of the memory that it changes; its history keeps the old text. */
  replaces?: string;
  /** Keeps words such as "next friday" as they are; ignored unless a person writes. */
  keepsRelativeDates?: boolean;
}

/** A memory as the draft that would write it again, in the place where it is. */
export function draftOf(memory: Memory): MemoryDraft {
  const copied = COPIED.filter((field) => memory[field] !== undefined).map((field) => [field, memory[field]]);
  return Object.fromEntries(copied) as MemoryDraft;
}

export function memoryIn<M extends MemoryHeader>({
  metadata,
  body,
}: {
  metadata: M;
  body: string;
}): M & Memory {
  return { ...metadata, body };
}

/** Whether two texts of a memory say the same, in statement and body. */
export function isSameText(
  a: Pick<Memory, "statement" | "body">,
  b: Pick<Memory, "statement" | "body">,
): boolean {
  return a.statement.trim() === b.statement.trim() && a.body.trim() === b.body.trim();
}

const NOT_MEMORIES = /^(?:memory|readme|changelog|license|claude|agents)\.md$/i;

/** Whether a file of this name can be a memory: markdown, and neither generated nor meant for people. */
export function isMemoryFile(name: string): boolean {
  return /\.(?:md|markdown)$/i.test(name) && !NOT_MEMORIES.test(name);
}

/** A memory, live or removed, that a new statement resembles: told with the answer to the write, which it never stops. */
export interface NearMemory {
  name: string;
  statement: string;
  body?: string;
  /** How it ended, and why: `removed on 2026-11-28: the hooks are gone`. */
  removed?: string;
  /** 0 to 1: the share of common terms. */
  similarity: number;
}

/** One gate's refusal: which gate, why, and what would pass. */
export interface GateRefusal {
  gate: GateName;
  reason: string;
  remedy: string;
  /** A draft that would pass, where one can be made (dates resolved, sections named). */
  proposal?: Partial<MemoryDraft>;
  /** What its type needs and the draft lacks, as a policy names it: `symptom`. */
  needs?: readonly string[];
}
