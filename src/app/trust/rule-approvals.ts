import { dirname, join } from "node:path";
import { type MemoryMetadata, type StoreRef, memoryKey } from "../../memory/memory.ts";
import type { IndexReader } from "../../index/index-reader.ts";
import { findGitDirectory } from "../../git/git-directory.ts";
import { readOrEmpty, statIfThere } from "../../platform/regular-file.ts";
import { hasPart } from "../../index/document/index-document.ts";
import { takesForce, type TypeTable } from "../../memory/memory-type.ts";
import { Approvals } from "../../store/trust/approvals.ts";
import { isTrustedStore, readStoreRegistry } from "../../store/trust/store-registry.ts";
import type { StoredMemory } from "../../store/files/scan-store.ts";
import { stateOfStore } from "../../store/config/store-config.ts";
import type { Collection } from "../place/collection.ts";
import type { Place } from "../place/place.ts";

/** Whether what takes force in a store counts only as it was approved: others and a model's tools can lay files there. */
export function isReviewed(store: Pick<StoreRef, "kind" | "isTrusted">): boolean {
  return store.kind !== "attached" && store.isTrusted;
}

/**
 * Whether heed made or approved a store on this machine, at this place: a store cannot say so itself. Where no records
 * can be kept at all nothing tells.
 */
export function wasMadeHere(
  { places }: Pick<Place, "places">,
  { id, root }: Pick<StoreRef, "id" | "root">,
): boolean {
  if (statIfThere(places.state)?.isDirectory() === false) return true;
  return isTrustedStore(readStoreRegistry(places), id, root);
}

function memoriesInForce(collection: Collection): MemoryMetadata[] {
  const rules = ruleTypes(collection.types);
  return withoutDuplicates([...collection.memories(rules), ...collection.memoriesWith("guard")]);
}

function ruleTypes(types: TypeTable): string[] {
  return types.all().flatMap(({ name }) => (takesForce({ type: name }, types) ? [name] : []));
}

function withoutDuplicates(memories: readonly MemoryMetadata[]): MemoryMetadata[] {
  return [...new Map(memories.map((metadata) => [memoryKey(metadata), metadata])).values()];
}

function inOrder(memories: readonly MemoryMetadata[]): MemoryMetadata[] {
  return withoutDuplicates(memories).sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** What takes force in a store, as its files say now. */
export function rulesOf(collection: Collection, store: StoreRef): MemoryMetadata[] {
  return inOrder(memoriesInForce(collection).filter((metadata) => metadata.storeId === store.id));
}

interface UnapprovedRule {
  store: StoreRef;
  /** As its file says now. */
  metadata: MemoryMetadata;
  approvals: Approvals;
}

/** Valid while the stamp is: each prompt and tool use asks, and the answer is in hundreds of memories. */
const lastAnswers = new WeakMap<
  IndexReader,
  { stamp: string; unapproved: Omit<UnapprovedRule, "store">[] }
>();

/** The rules of trusted stores whose text nobody has approved on this machine. */
export function unapprovedRules({ places }: Pick<Place, "places">, collection: Collection): UnapprovedRule[] {
  return collection.stores.flatMap((store, i) => {
    const reader = collection.readers[i];
    if (!isReviewed(store) || !reader) return [];
    const state = stateOfStore(places, store.root);
    // Taken before the approvals are read: what changes in between is seen the next time.
    const stamp = `${state.folder} ${Approvals.stampOf(state)}`;
    const last = lastAnswers.get(reader);
    const unapproved =
      last?.stamp === stamp ? last.unapproved : unapprovedOf({ places }, store, reader, collection.types);
    if (unapproved !== last?.unapproved) lastAnswers.set(reader, { stamp, unapproved });
    return unapproved.map((rule) => ({ store, ...rule }));
  });
}

function unapprovedOf(
  place: Pick<Place, "places">,
  store: StoreRef,
  reader: IndexReader,
  types: TypeTable,
): Omit<UnapprovedRule, "store">[] {
  const approvals = new Approvals(stateOfStore(place.places, store.root));
  if (store.kind === "user" && !approvals.hasBaseline && wasMadeHere(place, store)) return [];
  return inOrder([...reader.memories({ types: ruleTypes(types) }), ...reader.memoriesWith("guard")])
    .filter((metadata) => !approvals.has(metadata.id, metadata.contentHash))
    .map((metadata) => ({ metadata, approvals }));
}

/** How many rules that were approved on this machine are not there any more: others removed them, or the branch has none. */
export function countGone({ places }: Pick<Place, "places">, collection: Collection): number {
  const stores = collection.stores.filter(isReviewed);
  if (stores.length === 0 || collection.isCut) return 0;
  const present = new Set(memoriesInForce(collection).map(memoryKey));
  return stores
    .flatMap((store) =>
      new Approvals(stateOfStore(places, store.root)).ids().map((id) => memoryKey({ storeId: store.id, id })),
    )
    .filter((key) => !present.has(key)).length;
}

interface ReviewedCollection {
  collection: Collection;
  /** By `<store id>:<memory id>`: changed by somebody else since it was approved, or new since then. */
  unreviewed: ReadonlyMap<string, "changed" | "new">;
}

/**
 * The collection as it counts here: a rule that somebody else changed stands in it with its approved text, and one that
 * is new counts as one of a store that is not trusted, until it was reviewed.
 */
export async function withApprovals(
  place: Place,
  collection: Collection,
  noticed: ReadonlySet<string> = new Set(),
): Promise<ReviewedCollection> {
  const unapproved = [...unapprovedRules(place, collection), ...takenBack(place, collection, noticed)];
  const stores = new Map(unapproved.map(({ store, metadata }) => [memoryKey(metadata), store]));
  if (unapproved.length === 0) return { collection, unreviewed: new Map() };
  const approved = new Map<string, StoredMemory>();
  const unreviewed = new Map<string, "changed" | "new">();
  for (const { store, metadata, approvals } of unapproved) {
    const known = await readApproved(approvals, store, metadata, collection.types);
    if (known) approved.set(memoryKey(metadata), known);
    unreviewed.set(memoryKey(metadata), known ? "changed" : "new");
  }
  const asApproved = (metadata: MemoryMetadata): MemoryMetadata =>
    approved.get(memoryKey(metadata))?.metadata ?? metadata;
  const among = (memories: readonly MemoryMetadata[]): MemoryMetadata[] =>
    withoutDuplicates([...memories, ...unapproved.map(({ metadata }) => metadata)].map(asApproved));
  const reviewed: Collection = {
    ...collection,
    storeOf: (metadata) => {
      const store = stores.get(memoryKey(metadata)) ?? collection.storeOf(metadata);
      return unreviewed.get(memoryKey(metadata)) === "new" ? { ...store, isTrusted: false } : store;
    },
    memories: (types) =>
      among(collection.memories(types)).filter(({ type }) => types?.includes(type) !== false),
    // What somebody took the guard out of has it as it was approved.
    memoriesWith: (part) =>
      among(collection.memoriesWith(part)).filter((metadata) => hasPart(metadata, part)),
    read: async (metadata) => approved.get(memoryKey(metadata)) ?? collection.read(metadata),
  };
  return { collection: reviewed, unreviewed };
}

/** How a session notes that a guard of a project was in force in it. */
export const GUARD_NOTE = "guard ";

/**
 * What was in force in a session, is still approved, and is gone or as it was before: a model's own reset, stash, checkout
 * or clean takes no guard out of force. A pull, merge or rebase does, and a person's removal through heed.
 */
function takenBack(place: Place, collection: Collection, noticed: ReadonlySet<string>): UnapprovedRule[] {
  const notes = [...noticed].filter((note) => note.startsWith(GUARD_NOTE));
  const present = new Set(notes.length === 0 ? [] : collection.memories().map((one) => one.contentHash));
  return notes.flatMap((note) => {
    const noted = JSON.parse(note.slice(GUARD_NOTE.length)) as Pick<UnapprovedRule, "store" | "metadata">;
    const { store, metadata } = noted;
    const approvals = new Approvals(stateOfStore(place.places, store.root));
    const isLast = approvals.newestOf(metadata.id)?.hash === metadata.contentHash;
    if (present.has(metadata.contentHash) || !isLast || !wasMadeHere(place, store)) return [];
    const log = join(findGitDirectory(dirname(store.root))?.gitDir ?? store.root, "logs", "HEAD");
    const moves = readOrEmpty(log, { maxBytes: 4096, part: "end" });
    return /\t(?:pull|merge|rebase)\b.*\s*$/.test(moves) ? [] : [{ ...noted, approvals }];
  });
}

async function readApproved(
  approvals: Approvals,
  store: StoreRef,
  metadata: MemoryMetadata,
  types: TypeTable,
): Promise<StoredMemory | undefined> {
  const newest = approvals.newestOf(metadata.id);
  if (!newest) return undefined;
  const { parseMemoryFile } = await import("../place/changed-store.ts");
  const { memory } = parseMemoryFile(store, newest.file, newest.text, types);
  return memory && { ...memory, metadata: { ...memory.metadata, id: metadata.id } };
}
