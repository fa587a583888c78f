import { type InboxItem, codeOfItem, inboxOf } from "../here/consent/inbox.ts";
import { codeOf } from "../memory/formula.ts";
import { join } from "node:path";
import { type WriteResult, withoutPlace } from "./memory-of-draft.ts";
import { type Collection, openCollection } from "../here/collection.ts";
import { type FoundMemory, resolveHandle } from "../here/reading/find-memory.ts";
import { openedStore } from "../here/opened-stores.ts";
import type { Place } from "../here/place.ts";
import {
  isQuarantinedFrom,
  needsWord,
  waitingMemories,
  whyQuarantined,
  withheld,
  proposalStandings,
} from "../here/consent/standing.ts";
import { readUserWords, recordUserWord } from "../store/consent.ts";
import { announce, approvalOf, guardWords, guardsOf, putGuards, withGuards } from "./ask-user.ts";
import { requirePerson } from "./write-consent.ts";
import { isPersonal } from "../memory/memory-type.ts";
import { MemoryWriter } from "./memory-writer.ts";
import { enterStore, noteWrite } from "./write-pipeline.ts";
import { needsPerson } from "./gates/text-gates.ts";
import { nearestNames } from "../memory/nearest-names.ts";
import { HeedError, notFound, refusedBy } from "../machine/heed-error.ts";
import type { Actor, Memory, MemoryDraft, MemoryHeader, MemoryMetadata } from "../memory/memory.ts";
import { draftOf } from "../memory/memory.ts";
import { handleOf, plainHandle, shortNameOf } from "../memory/handle.ts";
import { cutShown, redactValue } from "../memory/screening/find-secrets.ts";
import type { StoredMemory } from "../store/files/scan-store.ts";
import type { StoreReader } from "../store/store-reader.ts";
import { isDeepStrictEqual } from "node:util";
import { boundsAndLists } from "../here/consent/rule-text.ts";
import { shownText } from "../memory/shown-text.ts";
import { type MemoryAmendment, amendMemory } from "../memory/codec/encode-memory.ts";
import { userQuotationIn } from "../memory/codec/sections.ts";
import { shownDiff } from "../store/history/unified-diff.ts";

/** A person's approval of a pending memory. */
export interface Confirmation {
  /** The `code` of the item as it was shown: one that was replaced since is not approved. */
  code?: string | undefined;
}

/** An item of the inbox. */
export interface PendingItem {
  name: string;
  statement: string;
  type: string;
  body: string;
  /** Why it waits: a statement about the user, an edit from two sides, an attached or imported memory. */
  reason: string;
  proposedAt: string;
  /** Who proposed it: the client, and its session. */
  by?: string | undefined;
  /** The user's words on which it rests. */
  quote?: string | undefined;
  /** The repository that it is for; absent: everywhere, or that of the store at hand. */
  repo?: string | undefined;
  /** The memory that it would change, and the diff. */
  target?: string | undefined;
  diff?: string | undefined;
  /** What the guard that comes with it stops, in words: in force with the user's yes. */
  guard?: string | undefined;
  /** Where and how long it would count, and its links, claims and other lists, in words; a diff has them itself. */
  bounds?: string | undefined;
  /** Belongs to exactly this text. */
  code: string;
}

/** Approves what waits. Persons only, by whichever door: a model's claim that the user agreed can be checked by nobody. */
export async function confirmMemory(
  place: Place,
  handle: string,
  confirmation: Confirmation,
  actor: Actor,
): Promise<WriteResult> {
  const { code } = confirmation;
  const asked = await findAsked(place, handle);
  const { item, waiting } = asked;
  requireUser(actor, "confirm", asked);
  if (item) requireWholeText(actor, item.memory);
  if (code !== undefined && code !== asked.code) {
    const message = `${handle} was replaced since it was shown: look at it again`;
    throw new HeedError("changed-outside", message, { file: waiting?.metadata.file ?? asked.name });
  }
  if (waiting) {
    const { metadata, store } = waiting;
    recordUserWord(place.places, metadata, "confirmed", place.now());
    const announcement = announce("confirmed", metadata, place.types.get(metadata.type), store.kind);
    const path = join(store.root, metadata.file);
    return { outcome: "unchanged", metadata, path, announcement, warnings: [] };
  }
  const { memory, proposal } = item;
  const store = storeOf(place, item);
  const current = targetOf(store, item);
  if (current && proposal.asks !== "memory") {
    const isRemoval = proposal.asks === "removal";
    const { memory: written, file } = isRemoval
      ? await new MemoryWriter(place, actor).remove(current.metadata, `forgotten: ${proposal.reason}`)
      : await putGuards(place, current, guardsOf(memory.guard), actor);
    const { metadata } = written;
    inboxOf(place).take(memory.name, metadata.contentHash);
    if (isRemoval) noteWrite(place, actor, current);
    const { name, statement } = current.metadata;
    const announcement = isRemoval
      ? `forgotten: ${statement} [${handleOf(current.metadata)}]; bring it back with: heed remove --restore ${shortNameOf(current.metadata)}`
      : `confirmed: the guard of ${name} is in force: ${guardWords(memory.guard)}`;
    const path = join(store.ref.root, file);
    return { outcome: "amended", metadata, path, announcement, warnings: [] };
  }
  const draft: MemoryDraft = {
    ...draftOf(memory),
    status: statusWithYes(memory),
    // What was concluded about the user is their own word from now on, on their other machines too.
    ...(memory.source === "inferred" &&
      isPersonal(place.types.get(memory.type)) && { source: "instructed" as const }),
  };
  const also = current && changedBounds(memory, current);
  const write = { draft, actor, store, current, also, proposed: memory, isConfirmed: true };
  const result = await enterStore(place, { ...write, why: "confirmed" });
  if (result.outcome === "refused" || result.outcome === "pending") return result;
  const guarded = await withGuards(place, result, guardsOf(memory.guard), actor);
  inboxOf(place).take(memory.name, result.metadata.contentHash);
  return {
    ...guarded,
    announcement: result.announcement.replace(/^(?:remembered|changed|unchanged)/, "confirmed"),
  };
}

/** Drops a pending memory for good. One in another tool's directory stays there, and is neither told nor asked about again. */
export async function rejectMemory(
  place: Place,
  handle: string,
  reason: string,
  actor: Actor,
): Promise<void> {
  const asked = await findAsked(place, handle);
  requireUser(actor, "reject", asked);
  const at = place.now();
  if (asked.waiting) recordUserWord(place.places, asked.waiting.metadata, "rejected", at);
  else inboxOf(place).reject(asked.name, { reason, actor, at });
}

/** Puts what a person dropped back to what waits, and what they said of another tool's statement. */
export async function restorePending(place: Place, handle: string, actor: Actor): Promise<void> {
  const name = plainHandle(handle);
  if (actor.kind !== "person")
    throw refusedBy("user-word", `a person dropped ${name}: only a person brings it back`);
  if (inboxOf(place).bringBack(name)) return;
  const collection = await openCollection(place, { thoroughness: "full" });
  const metadata = findMetadata(collection, handle);
  const isAnswered = metadata && readUserWords(place.places).has(metadata.contentHash);
  if (isAnswered && needsWord(metadata, collection))
    return recordUserWord(place.places, metadata, "taken back", place.now());
  throw notFound(handle, `nothing called ${name} was dropped from the inbox`);
}

type Asked = { name: string; code: string } & (
  | { item: InboxItem; waiting?: undefined }
  | { waiting: FoundMemory; item?: undefined }
);

async function findAsked(place: Place, handle: string): Promise<Asked> {
  if (inboxOf(place).get(plainHandle(handle)) === undefined) {
    const collection = await openCollection(place, { thoroughness: "full" });
    const found = findMetadata(collection, handle);
    const read = found && (await collection.read(found));
    if (read && waitingMemories(place.places, collection, [read.metadata]).length > 0) {
      const { name, contentHash } = read.metadata;
      return { waiting: { ...read, store: collection.storeOf(found) }, name, code: codeOf(contentHash) };
    }
  }
  const item = itemOf(place, handle);
  return { item, name: item.memory.name, code: codeOfItem(item) };
}

function findMetadata(collection: Collection, handle: string): MemoryMetadata | undefined {
  try {
    return resolveHandle(collection, handle);
  } catch (error) {
    if (error instanceof HeedError && error.code === "not-found") return undefined;
    throw error;
  }
}

function requireUser(actor: Actor, does: "confirm" | "reject", { name, code, item }: Asked): void {
  const command = `heed inbox ${does} ${name}`;
  const remedy = item
    ? `${approvalOf(code, actor)}. In a terminal: ${command}`
    : `A person runs ${command} in a terminal`;
  const why = `only a person ${does === "confirm" ? "approves" : "drops"} ${name}. ${remedy}`;
  requirePerson(actor, why, remedy);
}

/** What imitates marks or hides characters is approved where all of its text can be read. */
function requireWholeText({ door }: Actor, memory: Memory): void {
  if ((door !== "dialog" && door !== "formula") || !needsPerson(memory)) return;
  const remedy = `read it first: heed show ${memory.name}, then heed inbox confirm ${memory.name}, in a terminal`;
  const why = `${memory.name} is quarantined, as its text imitates marks or hides characters`;
  throw refusedBy("hostile", `${why}: ${remedy}`, remedy);
}

export function itemOf(place: Place, handle: string): InboxItem {
  const inbox = inboxOf(place);
  const wanted = plainHandle(handle);
  const item = inbox.get(wanted);
  if (item) return item;
  const names = inbox.list().map(({ memory }) => memory.name);
  const message = `nothing called "${cutShown(wanted, 80)}" needs approval: \`heed inbox\` lists what does`;
  throw notFound(handle, message, nearestNames(wanted, names));
}

function storeOf(place: Place, { memory, proposal }: InboxItem): StoreReader {
  const ref = place.stores.find(({ id }) => id === proposal.store);
  if (ref) return openedStore(place, ref);
  const message = `the store of ${memory.name} is not here: confirm it in the repository where it was proposed`;
  throw new HeedError("no-store", message, { store: proposal.store });
}

/** The memory that an item would change; undefined for a new one. @throws HeedError `changed-outside` when it is not as proposed on. */
function targetOf(
  store: StoreReader,
  { memory: { name }, proposal: { target } }: InboxItem,
): StoredMemory | undefined {
  if (!target) return undefined;
  const current = store.list().memories.find(({ metadata }) => metadata.id === target.id);
  if (current?.metadata.contentHash === target.hash) return current;
  const happened = `${target.name} was ${current ? "changed" : "removed"} since ${name} was proposed`;
  const message = `${happened}: look at both, then reject ${name} or write it again`;
  throw new HeedError("changed-outside", message, { file: current?.metadata.file ?? target.name });
}

/** What needs the user's approval: proposals, the oldest first, then statements in other tools' directories. */
export async function listPending(
  place: Place,
  options: { reader?: Actor | undefined } = {},
): Promise<PendingItem[]> {
  const { reader } = options;
  const items: PendingItem[] = [];
  const collection = await openCollection(place, { thoroughness: "full" });
  const standingOf = await proposalStandings(place, collection);
  for (const item of inboxOf(place).list()) {
    const standing = standingOf(item);
    if (standing === "moot") continue;
    const { memory, proposal } = item;
    const { name, type, body } = memory;
    const { asks, by } = proposal;
    const diff = asks === "removal" ? undefined : pendingDiff(place, item);
    if (reader?.kind === "person") inboxOf(place).noteShown(name, place.now());
    items.push({
      name,
      statement: describeItem(item),
      type,
      body,
      reason: `${proposal.reason}${standing === "outdated" ? `; ${proposal.target?.name} was changed since: drop it, or write it again` : ""}`,
      proposedAt: proposal.at,
      by: (by.client ?? by.kind) + (by.session === undefined ? "" : `, session ${by.session.slice(0, 12)}`),
      // The words by which it was given are no reason to take it away; a removal has its own.
      quote: asks === "guard" ? undefined : userQuotationIn(body),
      repo: memory.scope.repo ?? memory.origin.repo,
      target: proposal.target?.name,
      diff,
      guard: guardWords(memory.guard) || undefined,
      bounds: (diff === undefined && asks === "memory" && boundsAndLists(memory, place.types)) || undefined,
      code: codeOfItem(item),
    });
  }
  const waiting = waitingMemories(place.places, collection, await collection.memoriesInTurns());
  for (const metadata of waiting.toSorted((a, b) => a.name.localeCompare(b.name, "en"))) {
    const read = await collection.read(metadata);
    if (read) items.push(asPendingItem(place, { ...read, store: collection.storeOf(metadata) }));
  }
  const untold = { diff: undefined, guard: undefined, quote: undefined, bounds: undefined };
  const shown = items.map((item) =>
    isQuarantinedFrom(reader, item) ? { ...withheld(item), ...untold } : item,
  );
  return redactValue(shown, shownText);
}

function asPendingItem({ types }: Place, { metadata, body, store }: FoundMemory): PendingItem {
  const { name, statement, type, contentHash, updated, created, mtimeMs } = metadata;
  const how = store.kind === "attached" ? "by the tool that owns it" : "by a sync, a clone or an edit";
  const why = `it came into ${store.root} ${how}, and nobody confirmed it here`;
  return {
    name,
    statement,
    type,
    body,
    reason: whyQuarantined(metadata) ?? why,
    proposedAt: updated ?? created ?? new Date(mtimeMs).toISOString(),
    bounds: boundsAndLists(metadata, types) || undefined,
    code: codeOf(contentHash),
  };
}

export function describeItem({ memory: { statement, guard }, proposal: { asks } }: InboxItem): string {
  if (asks === "removal") return `to be forgotten: ${statement}`;
  return asks === "guard" ? `guard for "${statement}": ${guardWords(guard)}` : statement;
}

const statusWithYes = ({ status }: MemoryHeader): MemoryHeader["status"] =>
  status === "superseded" ? status : "confirmed";

/** What a proposed change says of where and how long a memory holds, which no draft carries. */
function changedBounds(
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

function pendingDiff(place: Place, { memory, proposal }: InboxItem): string | undefined {
  const ref = place.stores.find(({ id }) => id === proposal.store);
  if (!ref || !proposal.target) return undefined;
  const store = openedStore(place, ref);
  const current = store.list().memories.find(({ metadata }) => metadata.id === proposal.target?.id);
  const text = current && store.read(current.metadata.file).text;
  if (!current || text === undefined) return undefined;
  const { claims, scope } = memory;
  const { name } = current.metadata;
  const status = statusWithYes(memory);
  const changes: MemoryAmendment =
    proposal.asks === "guard"
      ? { guard: [...guardsOf(current.metadata.guard), ...guardsOf(memory.guard)] }
      : { ...draftOf(memory), name, status, claims, scope, ...changedBounds(memory, current) };
  const after = amendMemory(text, changes);
  return after === text ? undefined : shownDiff(name, text, after);
}
