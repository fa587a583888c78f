import { isDeepStrictEqual } from "node:util";
import type { Place } from "../here/place.ts";
import { invalidInput } from "../machine/heed-error.ts";
import type {
  Actor,
  Door,
  MemoryDraft,
  Memory,
  Origin,
  QuotedOrigin,
  Scope,
  GateRefusal,
  MemoryMetadata,
  NearMemory,
} from "../memory/memory.ts";
import type { MemoryAmendment } from "../memory/codec/encode-memory.ts";
import { isoSeconds, normaliseTime, onOneLine } from "../machine/read-fields.ts";
import { MEMORY_FIELDS } from "../memory/memory-fields.ts";
import type { TypePolicy } from "../memory/memory-type.ts";
import { freeName, newId, slugOf } from "../memory/handle.ts";
import type { StoredMemory } from "../store/files/scan-store.ts";
import type { StoreReader } from "../store/store-reader.ts";

/** Result of a write. Where a new statement resembles others, `near` has their texts: merge, replace or leave them. */
export type WriteResult =
  | ({
      outcome: "written" | "amended" | "unchanged";
      metadata: MemoryMetadata;
      path: string;
      /** One line that announces the change to the user. */
      announcement: string;
      /** Unified diff of an amendment. */
      diff?: string;
      warnings: string[];
    } & WithNear)
  | ({
      outcome: "pending";
      /** The proposal's handle in the inbox. */
      name: string;
      /** What the user types to approve exactly this: `heed yes CODE`. */
      code: string;
      announcement: string;
      /** Why it waits, and how it is approved. */
      reason: string;
      diff?: string;
    } & WithNear)
  | { outcome: "refused"; refusals: GateRefusal[] };

interface WithNear {
  near?: NearMemory[];
}

export interface Write {
  draft: MemoryDraft;
  actor: Actor;
  store: StoreReader;
  /** The memory that it changes; default: the one of its name or statement, if any. */
  current?: StoredMemory | undefined;
  isConfirmed?: boolean;
  /** The writer gave the whole body; default: single fields. */
  isWholeBody?: boolean;
  text?: string;
  /** Changes besides the draft's fields; go before them. */
  also?: MemoryAmendment | undefined;
  /** The approved proposal: its identity, scope and origin stay. */
  proposed?: Memory;
  /** Why it waits for the user's approval in any case. */
  waitsFor?: string;
  /** One line for the history; default: the statement, or the fields that changed. */
  why?: string;
  guards?: readonly unknown[] | undefined;
}

type Here = Pick<Place, "now" | "repository">;

interface Placed {
  store: { ref: Pick<StoreReader["ref"], "kind"> };
}

interface Consent {
  door?: Door | undefined;
  quoted?: QuotedOrigin | undefined;
}

/** The memory that a write makes, with the identity, scope and origin of the proposal that was approved, if any. */
export function memoryOfDraft(
  here: Here,
  { draft, actor, store, proposed }: Pick<Write, "draft" | "actor" | "proposed"> & Placed,
  policy: TypePolicy,
  { door, quoted }: Consent = {},
): Memory {
  const now = here.now();
  const time = isoSeconds(now);
  const { expires, ...given } = givenFields(draft);
  const { name: repo, branch, head } = here.repository ?? {};
  const origin: Origin = {
    ...(repo !== undefined && { repo }),
    ...(branch && { branch }),
    ...(head && { commit: head.slice(0, 12) }),
    ...(actor.session && { session: actor.session }),
    ...(actor.client && { client: actor.client }),
    actor: actor.kind,
    ...(door && { door }),
    ...quoted,
  };
  return {
    ...NO_ITEMS,
    ...policy.defaults,
    ...given,
    id: proposed?.id ?? newId(now),
    name: draft.name === undefined ? nameFor(draft.statement, () => false) : slugOf(draft.name),
    created: proposed?.created ?? time,
    updated: time,
    scope: proposed?.scope ?? scopeOfDraft(here, { draft, store }, policy),
    ...(expires && { expires }),
    origin: { ...(proposed?.origin ?? originFor(draft, origin, policy)), ...(door && { door }) },
  } as Memory;
}

const NO_ITEMS = Object.fromEntries(
  Object.entries(MEMORY_FIELDS).flatMap(([name, { kind }]) =>
    kind === "list" || kind === "links" ? [[name, []]] : [],
  ),
);

function givenFields(draft: MemoryDraft): MemoryAmendment {
  const given = Object.entries(MEMORY_FIELDS).flatMap(([name, { kind, givenBy }]) => {
    const value = draft[name as keyof MemoryDraft];
    if (givenBy !== undefined || value === undefined || kind === "map" || name === "name") return [];
    if (kind === "list") return [[name, (value as string[]).map(onOneLine)]];
    return [[name, kind === "time" && typeof value === "string" ? (normaliseTime(value) ?? null) : value]];
  });
  const { statement, body } = draft;
  return { ...Object.fromEntries(given), statement: statement.trim(), body: body.trim() };
}

/** What a write changes of a memory: what it says otherwise, what goes besides, and with consent its origin. Empty: nothing. */
export function amendmentOfDraft(
  here: Here,
  { draft, current, store, actor, also }: Write & { current: StoredMemory },
  policy: TypePolicy,
  consent?: Consent,
): MemoryAmendment {
  const { metadata, body } = current;
  const wanted: MemoryAmendment = {
    ...givenFields(draft),
    ...(draft.scope && {
      scope: scopeOfDraft(here, { draft, store }, policy),
      origin: originFor(draft, metadata.origin, policy),
    }),
  };
  const before: Record<string, unknown> = { ...metadata, body: body.trim() };
  const said = Object.entries(wanted).filter(
    ([key, value]) => !isDeepStrictEqual(value, before[key] ?? null),
  );
  const changes: MemoryAmendment = { ...Object.fromEntries(said), ...also };
  if (Object.keys(changes).length === 0) return {};
  const {
    door: had,
    quote: _quote,
    reason: _reason,
    first: _first,
    ...rest
  } = changes.origin ?? metadata.origin;
  const isSaidAnew = ["statement", "body", "type"].some((field) => field in changes);
  // A person's change of a part leaves the origin as it is; so does one with no door where none was.
  const isAgreed = consent?.door !== undefined || (actor.kind !== "person" && had !== undefined);
  if (consent && isSaidAnew && isAgreed) {
    const origin = { ...rest, ...(consent.door && { door: consent.door }), ...consent.quoted };
    if (!isDeepStrictEqual(origin, changes.origin ?? metadata.origin)) changes.origin = origin;
  }
  return { updated: isoSeconds(here.now()), ...changes };
}

function scopeOfDraft(
  { repository }: Here,
  { draft, store }: Pick<Write, "draft"> & Placed,
  policy: TypePolicy,
): Scope {
  if (draft.scope === "everywhere" || (!draft.scope && policy.reach === "everywhere")) return { paths: [] };
  const { paths = [], branch, worktree = false } = draft.scope ?? {};
  // A project store moves with its repository: the name would be wrong after a move.
  const isNamed = store.ref.kind !== "project" && repository !== undefined;
  const message = "only a memory of your own store, about a repository, can be limited to a worktree";
  if (worktree !== false && !isNamed) throw invalidInput("scope", draft.scope, message);
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

/** Without a scope a memory belongs to the repository it came from: one that holds everywhere loses that place. */
export function withoutPlace({ repo: _repo, branch: _branch, commit: _commit, ...rest }: Origin): Origin {
  return rest;
}

/** Made names are typed by people, and cited by a model in a sentence. */
const MAX_NAME_CHARS = 36;
/** Keeps the host of an address and the file of a path. */
const PLACES = /[a-z][a-z\d+.-]*:\/\/(?:www\.)?([^\s/]+)\S*|(?:[^\s/]+\/)+([^\s/]+\.\w+)/gi;

/** A name of a statement's first words (chosen ones can say the opposite), with a number when it is taken. */
export function nameFor(statement: string, isTaken: (name: string) => boolean): string {
  const words = slugOf(statement.replace(PLACES, "$1$2"));
  const end = words.length <= MAX_NAME_CHARS ? words.length : words.lastIndexOf("-", MAX_NAME_CHARS);
  return freeName(words.slice(0, end > 0 ? end : MAX_NAME_CHARS), isTaken);
}
