import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { PendingItem } from "../here/api/inbox.ts";
import type { WriteResult } from "../here/api/written-memory.ts";
import { type Collection, openCollection } from "../here/collection.ts";
import { resolveHandle } from "../here/find-memory.ts";
import { openedStore } from "../here/opened-stores.ts";
import type { Place } from "../here/place.ts";
import {
  needsWord,
  readUserWords,
  recordUserWord,
  waitingMemories,
  whyQuarantined,
  isQuarantinedFrom,
  withheld,
} from "../here/trust/user-words.ts";
import { boundsAndLists } from "../here/trust/shown-words.ts";
import { proposalStandings } from "../here/trust/standing.ts";
import { announce } from "./ask-user.ts";
import { withoutPlace } from "./memory-of-draft.ts";
import { guardWords, guardsOf } from "./propose-guard.ts";
import { Inbox } from "../here/inbox.ts";
import { type InboxItem, type Proposal, codeOf, codeOfItem } from "../here/proposal-code.ts";
import { nearestNames } from "../memory/nearest-names.ts";
import { HeedError } from "../machine/heed-error.ts";
import { shownText } from "../memory/shown-text.ts";
import {
  type Actor,
  type Memory,
  type MemoryHeader,
  type MemoryMetadata,
  type StoreRef,
  draftOf,
} from "../memory/memory.ts";
import { type MemoryAmendment, amendMemory } from "../memory/codec/amend-memory.ts";
import { quotationsIn } from "../memory/codec/sections.ts";
import { plainHandle } from "../memory/handle.ts";
import { cutShown, redactValue } from "../memory/screening/find-secrets.ts";
import type { StoredMemory } from "../store/files/scan-store.ts";
import { shownDiff } from "../store/history/unified-diff.ts";
import type { StoreReader } from "../store/store-reader.ts";

/** What waits for the user's word: proposals, the oldest first, then statements in other tools' directories. */
export async function listPending(
  place: Place,
  { reader }: { reader?: Actor | undefined } = {},
): Promise<PendingItem[]> {
  const items: PendingItem[] = [];
  const standingOf = await proposalStandings(place, await openCollection(place, { thoroughness: "full" }));
  for (const item of inboxOf(place).list()) {
    const standing = standingOf(item);
    if (standing === "moot") continue;
    const { memory, proposal } = item;
    const { name, type, body } = memory;
    const [quote] = quotationsIn(body);
    const isRemoval = proposal.flags.includes("isRemoval");
    const diff = isRemoval ? undefined : await pendingDiff(place, item);
    const [guard, bounds] = [guardWords(memory.guard), boundsAndLists(memory, place.types)];
    if (reader?.kind === "person") inboxOf(place).noteShown(name, place.now());
    items.push({
      name,
      description: describeItem(item),
      type,
      body,
      reason: `${proposal.reason}${standing === "outdated" ? `; ${proposal.target?.name} was changed since: drop it, or write it again` : ""}`,
      proposedAt: proposal.at,
      // The words by which it was given are no reason to take it away; a removal has its own.
      ...(quote !== undefined && (isRemoval || !isFixed(proposal)) && { quote }),
      ...((memory.scope.repo ?? memory.origin.repo) !== undefined && {
        repo: memory.scope.repo ?? memory.origin.repo,
      }),
      ...(proposal.target && { target: proposal.target.name }),
      ...(diff !== undefined && { diff }),
      ...(isFixed(proposal) && { isFixed: true }),
      ...(guard !== "" && { guard }),
      ...(bounds !== "" && diff === undefined && !isFixed(proposal) && { bounds }),
      code: codeOfItem(item),
    });
  }
  items.push(...(await listWaitingMemories(place)).map((waiting) => asPendingItem(place, waiting)));
  const shown = items.map((item) => {
    if (!isQuarantinedFrom(reader, item)) return item;
    const { diff: _, guard: _guard, quote: _quote, bounds: _bounds, ...rest } = withheld(item);
    return rest;
  });
  return redactValue(shown, shownText);
}

/** What an item asks for, in words. */
export function describeItem({ memory: { description, guard }, proposal: { flags } }: InboxItem): string {
  if (flags.includes("isRemoval")) return `to be forgotten: ${description}`;
  return flags.includes("isGuard") ? `guard for "${description}": ${guardWords(guard)}` : description;
}

/** The status that a yes gives to what waits. */
export function statusWithYes({ status }: MemoryHeader): MemoryHeader["status"] {
  return status === "superseded" ? status : "confirmed";
}

/** Whether it asks for a yes or no alone: about a removal or a guard. */
export function isFixed({ flags }: Proposal): boolean {
  return flags.includes("isRemoval") || flags.includes("isGuard");
}

const MAX_NAMED = 5;

/** What waits in the inbox of this machine. */
export function inboxOf(place: Place): Inbox {
  return new Inbox(place.places, place.types);
}

/**
 * The item of a name or handle.
 *
 * @throws HeedError `not-found`, with what is called nearly so.
 */
export function itemOf(place: Place, handle: string): InboxItem {
  const inbox = inboxOf(place);
  const wanted = plainHandle(handle);
  const item = inbox.get(wanted);
  if (item) return item;
  const names = inbox.list().map(({ memory }) => memory.name);
  const suggestions = nearestNames(wanted, names);
  const shown = suggestions.length > 0 ? suggestions : names.slice(-MAX_NAMED);
  throw new HeedError(
    "not-found",
    `nothing called "${cutShown(wanted, 80)}" needs the user's approval${shown.length === 0 ? "" : `; what waits: ${shown.join(", ")}`}`,
    { handle, suggestions },
  );
}

/**
 * The store that an item belongs to.
 *
 * @throws HeedError `no-store` where it is not at hand.
 */
export function storeOf(place: Place, { memory, proposal }: InboxItem): StoreReader {
  const { stores } = place;
  const ref = stores.find(({ id }) => id === proposal.store);
  if (!ref)
    throw new HeedError(
      "no-store",
      `the store of ${memory.name} is not here: confirm it in the repository in which it was proposed`,
      { store: proposal.store },
    );
  return openedStore(place, ref);
}

/**
 * The memory that an item would change; undefined for one that would be new.
 *
 * @throws HeedError `changed-outside` when it is not as it was proposed on.
 */
export function targetOf(store: StoreReader, { memory, proposal }: InboxItem): StoredMemory | undefined {
  const { target } = proposal;
  if (!target) return undefined;
  const current = store.list().memories.find(({ metadata }) => metadata.id === target.id);
  if (current?.metadata.contentHash === target.hash) return current;
  const { name } = memory;
  throw new HeedError(
    "changed-outside",
    `${target.name} was ${current ? "changed" : "removed"} since ${name} was proposed: look at both, then reject ${name} or write it again`,
    { file: current?.metadata.file ?? target.name },
  );
}

/** What a proposed change says of where and how long a memory holds, which no draft carries. */
export function changedBounds(
  { scope, origin, expires }: Memory,
  { metadata }: Pick<StoredMemory, "metadata">,
): MemoryAmendment {
  return {
    ...(!isDeepStrictEqual(scope, metadata.scope) && {
      scope,
      origin: origin.repo === undefined ? withoutPlace(metadata.origin) : metadata.origin,
    }),
    ...(expires === undefined && metadata.expires !== undefined && { expires: null }),
  };
}

async function pendingDiff(place: Place, { memory, proposal }: InboxItem): Promise<string | undefined> {
  const ref = place.stores.find(({ id }) => id === proposal.store);
  if (!ref || !proposal.target) return undefined;
  const store = openedStore(place, ref);
  const current = store.list().memories.find(({ metadata }) => metadata.id === proposal.target?.id);
  const text = current && store.read(current.metadata.file).text;
  if (!current || text === undefined) return undefined;
  const { claims, scope } = memory;
  const { name } = current.metadata;
  const changes: MemoryAmendment = proposal.flags.includes("isGuard")
    ? { guard: [...guardsOf(current.metadata.guard), ...guardsOf(memory.guard)] }
    : {
        ...draftOf(memory),
        name,
        status: statusWithYes(memory),
        claims,
        scope,
        ...changedBounds(memory, current),
      };
  const after = amendMemory(text, changes);
  return after === text ? undefined : shownDiff(current.metadata.name, text, after);
}

/** A stored memory that lacks the user's word: a statement in another tool's directory, or a quarantined text. */
interface WaitingMemory {
  metadata: MemoryMetadata;
  body: string;
  store: StoreRef;
}

async function listWaitingMemories(place: Place): Promise<WaitingMemory[]> {
  const collection = await openCollection(place, { thoroughness: "full" });
  const found: WaitingMemory[] = [];
  for (const metadata of waitingMemories(place.places, collection, await collection.memoriesInTurns())) {
    const read = await collection.read(metadata);
    if (read) found.push({ ...read, store: collection.storeOf(metadata) });
  }
  return found.sort((a, b) => a.metadata.name.localeCompare(b.metadata.name, "en"));
}

function asPendingItem({ types }: Place, { metadata, body, store }: WaitingMemory): PendingItem {
  const { name, description, type, contentHash } = metadata;
  const bounds = boundsAndLists(metadata, types);
  return {
    name,
    description,
    type,
    body,
    reason: whyQuarantined(metadata) ?? whyWaiting({ metadata, store }),
    proposedAt: metadata.updated ?? metadata.created ?? new Date(metadata.mtimeMs).toISOString(),
    ...(bounds !== "" && { bounds }),
    code: codeOf(contentHash),
  };
}

function whyWaiting({ metadata, store }: Pick<WaitingMemory, "metadata" | "store">): string {
  if (store.kind === "attached")
    return `${metadata.type === "feedback" ? "a rule" : "a statement about the user"} in ${store.root}, which another tool owns`;
  return `it was inferred about the user, who has not said so here (it came by a sync, a clone or an edit into ${store.root})`;
}

/** The waiting memory of that handle, if it is one. */
export async function findWaitingMemory(place: Place, handle: string): Promise<WaitingMemory | undefined> {
  const collection = await openCollection(place, { thoroughness: "full" });
  const metadata = findMetadata(collection, handle);
  const read = metadata && (await collection.read(metadata));
  if (!read) return undefined;
  return waitingMemories(place.places, collection, [read.metadata]).length > 0
    ? { ...read, store: collection.storeOf(metadata) }
    : undefined;
}

function findMetadata(collection: Collection, handle: string): MemoryMetadata | undefined {
  try {
    return resolveHandle(collection, handle);
  } catch (error) {
    if (error instanceof HeedError && error.code === "not-found") return undefined;
    throw error;
  }
}

/**
 * Records the user's word for a waiting memory: from now on it holds like any other, as long as it reads the same.
 */
export function confirmWaiting(place: Place, { metadata, store }: WaitingMemory): WriteResult {
  recordUserWord(place.places, metadata, { word: "confirmed", time: place.now() });
  const policy = place.types.get(metadata.type);
  return {
    outcome: "unchanged",
    metadata,
    path: join(store.root, metadata.file),
    announcement: announce("confirmed", metadata, policy, store.kind),
    warnings: [],
  };
}

/** Takes the user's word on a stored memory back, so that it waits again; whether there was one. */
export async function askAgain(place: Place, handle: string): Promise<boolean> {
  const collection = await openCollection(place, { thoroughness: "full" });
  const words = readUserWords(place.places);
  const metadata = findMetadata(collection, handle);
  if (!metadata || !needsWord(metadata, collection) || !words.has(metadata.contentHash)) return false;
  recordUserWord(place.places, metadata, { word: "taken back", time: place.now() });
  return true;
}

/** Records that a waiting memory does not hold: it stays in its directory, and is neither told nor asked about again. */
export function rejectWaiting(place: Place, { metadata }: WaitingMemory, reason: string, actor: Actor): void {
  recordUserWord(place.places, metadata, { word: "rejected", by: actor.kind, reason, time: place.now() });
}
