import { isDeepStrictEqual } from "node:util";
import { invalidInput } from "../../errors/heed-error.ts";
import type { Repository } from "../../git/repository-identity.ts";
import { isStopWord } from "../../index/analysis/normalize-word.ts";
import type { Actor, Door, MemoryDraft, Memory, Origin, Scope, StoreRef } from "../../memory/memory.ts";
import type { MemoryAmendment } from "../../memory/codec/amend-memory.ts";
import { isoSeconds, normaliseTime } from "../../memory/codec/read-fields.ts";
import { MEMORY_FIELDS } from "../../memory/memory-fields.ts";
import type { TypePolicy } from "../../memory/memory-type.ts";
import { newId, slugOf } from "../../memory/handle.ts";
import type { StoredMemory } from "../../store/files/scan-store.ts";

/** What a draft does not say itself: when, where, by whom. */
export interface Circumstances {
  now: Date;
  actor: Actor;
  store: StoreRef;
  policy: TypePolicy;
  /** The repository at hand. */
  repository: Repository | undefined;
  /** How the user agreed to what it says. */
  door?: Door | undefined;
}

function nameOfDraft(draft: MemoryDraft): string {
  return draft.name === undefined ? nameFor(draft.description, () => false) : slugOf(draft.name);
}

/** A draft as a whole memory: identity, times, scope and origin filled in, and the defaults of its type. */
export function memoryOfDraft(draft: MemoryDraft, circumstances: Circumstances): Memory {
  const { now, policy } = circumstances;
  const time = isoSeconds(now);
  const { expires, ...given } = givenFields(draft);
  return {
    ...NO_ITEMS,
    ...policy.defaults,
    ...given,
    id: newId(now),
    name: nameOfDraft(draft),
    created: time,
    updated: time,
    scope: scopeOfDraft(draft, circumstances),
    ...(expires && { expires }),
    origin: originFor(draft, originOf(circumstances), policy),
  } as Memory;
}

const NO_ITEMS = Object.fromEntries(
  Object.entries(MEMORY_FIELDS).flatMap(([name, { kind }]) =>
    kind === "list" || kind === "links" ? [[name, []]] : [],
  ),
);

/** `null` for a time that cannot be read. */
function givenFields(draft: MemoryDraft): MemoryAmendment {
  const given = Object.entries(MEMORY_FIELDS).flatMap(([name, { kind, givenBy }]) => {
    const value = draft[name as keyof MemoryDraft];
    if (givenBy !== undefined || value === undefined || kind === "map" || name === "name") return [];
    return [[name, kind === "time" && typeof value === "string" ? (normaliseTime(value) ?? null) : value]];
  });
  const { description, body } = draft;
  return { ...Object.fromEntries(given), description: description.trim(), body: body.trim() };
}

/** What a draft changes of a memory: only what it says, and says otherwise. Empty: nothing. */
export function amendmentOfDraft(
  draft: MemoryDraft,
  { metadata, body }: StoredMemory,
  circumstances: Circumstances,
): MemoryAmendment {
  const wanted: MemoryAmendment = {
    ...givenFields(draft),
    ...(draft.scope && {
      scope: scopeOfDraft(draft, circumstances),
      origin: originFor(draft, metadata.origin, circumstances.policy),
    }),
  };
  const current: Record<string, unknown> = { ...metadata, body: body.trim() };
  const changes = Object.fromEntries(
    Object.entries(wanted).filter(([key, value]) => !isDeepStrictEqual(value, current[key] ?? null)),
  ) as MemoryAmendment;
  return Object.keys(changes).length === 0 ? {} : { ...changes, updated: isoSeconds(circumstances.now) };
}

function scopeOfDraft(draft: MemoryDraft, { policy, store, repository }: Circumstances): Scope {
  if (draft.scope === "everywhere" || (!draft.scope && policy.reach === "everywhere")) return { paths: [] };
  const { paths = [], branch, worktree = false } = draft.scope ?? {};
  // A project store goes with its repository: the name would only be wrong after a move.
  const isNamed = store.kind !== "project" && repository !== undefined;
  if (worktree !== false && !isNamed)
    throw invalidInput(
      "scope",
      draft.scope,
      "only a memory of your own store, about a repository, is held to a worktree",
    );
  return {
    ...(isNamed && { repo: repository.name }),
    ...(branch && { branch }),
    ...(isNamed && worktree && { worktree: worktree === true ? repository.root : worktree }),
    paths,
  };
}

/** Without a scope a memory belongs to the repository it came from: one that is to hold everywhere loses that place. */
function originFor(draft: MemoryDraft, origin: Origin, policy: TypePolicy): Origin {
  if (draft.scope !== "everywhere" || policy.reach === "everywhere") return origin;
  const { repo: _repo, branch: _branch, commit: _commit, ...rest } = origin;
  return rest;
}

function originOf({ actor, repository, door }: Circumstances): Origin {
  return {
    ...(repository && { repo: repository.name }),
    ...(repository?.branch && { branch: repository.branch }),
    ...(repository?.head && { commit: repository.head.slice(0, 12) }),
    ...(actor.session && { session: actor.session }),
    ...(actor.client && { client: actor.client }),
    actor: actor.kind,
    ...(door && { door }),
  };
}

/** A name that is made has so many words at most: it is typed, and cited by a model in a sentence. */
const MAX_WORDS = 5;
const MIN_WORDS = 2;
/** Function words without which a name would say the opposite. */
const NEGATIONS: ReadonlySet<string> = new Set("no not never dont doesnt cannot cant without nor".split(" "));

const MAX_CHARS = 48;

/**
 * A name of two to five words for what a memory says: the first ones that carry its meaning; with a number when it is
 * taken.
 */
export function nameFor(description: string, isTaken: (name: string) => boolean): string {
  const whole = slugOf(description).split("-");
  const informative = informativeWords(description);
  const words =
    whole.length <= MAX_WORDS || informative.length < MIN_WORDS ? whole.slice(0, MAX_WORDS) : informative;
  while (words.length > MIN_WORDS && words.join("-").length > MAX_CHARS) words.pop();
  const name = words.join("-");
  if (!isTaken(name)) return name;
  for (let number = 2; ; number++) if (!isTaken(`${name}-${number}`)) return `${name}-${number}`;
}

/** The words of a text that carry meaning; a flag or a compound counts as its parts, and is not torn. */
function informativeWords(text: string): string[] {
  const plain = text.replace(/[a-z][a-z\d+.-]*:\/\/(?:www\.)?([^\s/]+)\S*/gi, "$1");
  const words: string[] = [];
  for (const [token] of plain.matchAll(/[\p{L}\p{N}'’]+(?:[-_./][\p{L}\p{N}]+)*/gu)) {
    const parts = slugOf(token)
      .split("-")
      .filter((part) => part !== "");
    const isInformative = parts.some((part) => NEGATIONS.has(part) || (!isStopWord(part) && part !== "user"));
    if (!isInformative) continue;
    if (words.length + parts.length > MAX_WORDS) break;
    words.push(...parts);
  }
  return words;
}
