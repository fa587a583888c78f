import { isDeepStrictEqual } from "node:util";
import { invalidInput } from "../machine/heed-error.ts";
import type { Repository } from "../machine/repository-identity.ts";
import type {
  Actor,
  Door,
  MemoryDraft,
  Memory,
  MemoryMetadata,
  Origin,
  QuotedOrigin,
  Scope,
  StoreRef,
} from "../memory/memory.ts";
import type { MemoryAmendment } from "../memory/codec/amend-memory.ts";
import { isoSeconds, normaliseTime } from "../machine/read-fields.ts";
import { MEMORY_FIELDS } from "../memory/memory-fields.ts";
import type { TypePolicy } from "../memory/memory-type.ts";
import { isShortFor, newId, plainHandle, slugOf } from "../memory/handle.ts";
import type { StoredMemory } from "../store/files/scan-store.ts";

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
  /** What the user's quoted words add to its origin. */
  quoted?: QuotedOrigin | undefined;
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

function originFor(draft: MemoryDraft, origin: Origin, policy: TypePolicy): Origin {
  return draft.scope !== "everywhere" || policy.reach === "everywhere" ? origin : withoutPlace(origin);
}

/** Without a scope a memory belongs to the repository it came from: one that is to hold everywhere loses that place. */
export function withoutPlace({ repo: _repo, branch: _branch, commit: _commit, ...rest }: Origin): Origin {
  return rest;
}

function originOf({ actor, repository, door, quoted }: Circumstances): Origin {
  return {
    ...(repository && { repo: repository.name }),
    ...(repository?.branch && { branch: repository.branch }),
    ...(repository?.head && { commit: repository.head.slice(0, 12) }),
    ...(actor.session && { session: actor.session }),
    ...(actor.client && { client: actor.client }),
    actor: actor.kind,
    ...(door && { door }),
    ...quoted,
  };
}

/** A name that is made has this many characters at most: it is typed, and cited by a model in a sentence. */
const MAX_NAME_CHARS = 36;
/** Of an address its host, of a path its file: the rest says where, not what. */
const PLACES = /[a-z][a-z\d+.-]*:\/\/(?:www\.)?([^\s/]+)\S*|(?:[^\s/]+\/)+([^\s/]+\.\w+)/gi;

/**
 * A name for what a memory says: its first words as they stand, since a name of chosen words can say the opposite; with a
 * number when it is taken.
 */
export function nameFor(description: string, isTaken: (name: string) => boolean): string {
  const words = slugOf(description.replace(PLACES, "$1$2"));
  const end = words.length <= MAX_NAME_CHARS ? words.length : words.lastIndexOf("-", MAX_NAME_CHARS);
  const name = words.slice(0, end > 0 ? end : MAX_NAME_CHARS);
  if (!isTaken(name)) return name;
  for (let number = 2; ; number++) if (!isTaken(`${name}-${number}`)) return `${name}-${number}`;
}

/** A link by a short handle leads to the name, which stays when the statement changes. */
export function withNames(draft: MemoryDraft, memories: readonly MemoryMetadata[]): MemoryDraft {
  const nameOf = (to: string): string =>
    memories.find(({ name }) => isShortFor(plainHandle(to), name))?.name ?? to;
  return {
    ...draft,
    ...(draft.links && { links: draft.links.map((one) => ({ ...one, to: nameOf(one.to) })) }),
  };
}

/** What was proposed stays what it was, however the gates change its draft later. */
export function withIdentity(memory: Memory, proposed: Memory | undefined): Memory {
  if (!proposed) return memory;
  const { id, created, origin, scope } = proposed;
  const { door } = memory.origin;
  return { ...memory, id, ...(created && { created }), origin: { ...origin, ...(door && { door }) }, scope };
}
