import { type MemoryMetadata, type StoreRef, memoryKey } from "../../memory/memory.ts";
import type { IndexReader } from "../../index/index-reader.ts";
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { statIfThere, systemCode } from "../../platform/regular-file.ts";
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
  if (!hasState({ places })) return true;
  return isTrustedStore(readStoreRegistry(places), id, root);
}

function hasState({ places }: Pick<Place, "places">): boolean {
  return statIfThere(places.state)?.isDirectory() !== false;
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

/** An approved rule that is not among what takes force. */
export interface MissingRule {
  store: StoreRef;
  id: string;
  /** Relative to the store's root. */
  file: string;
  approvals: Approvals;
}

/** Valid while the stamp is: each prompt and tool use asks, and the answer is in hundreds of memories. */
const lastAnswers = new WeakMap<IndexReader, ReturnType<typeof answerOf> & { stamp: string }>();

function answersOf(place: Pick<Place, "places">, collection: Collection): ReturnType<typeof answerOf>[] {
  return collection.stores.flatMap((store, i) => {
    const reader = collection.readers[i];
    if (!isReviewed(store) || !reader) return [];
    const state = stateOfStore(place.places, store.root);
    // Taken before the approvals are read: what changes in between is seen the next time.
    const stamp = `${state.folder} ${Approvals.stampOf(state)}`;
    const last = lastAnswers.get(reader);
    if (last?.stamp === stamp) return last;
    const answer = { stamp, ...answerOf(place, store, reader, collection.types) };
    lastAnswers.set(reader, answer);
    return answer;
  });
}

function answerOf(
  place: Pick<Place, "places">,
  store: StoreRef,
  reader: IndexReader,
  types: TypeTable,
): { unapproved: UnapprovedRule[]; missing: MissingRule[] } {
  const approvals = new Approvals(stateOfStore(place.places, store.root));
  const rules = inOrder([...reader.memories({ types: ruleTypes(types) }), ...reader.memoriesWith("guard")]);
  const isApproved = ({ id, contentHash }: MemoryMetadata): boolean => approvals.has(id, contentHash);
  const ids = new Set(rules.map(({ id }) => id));
  // A file that was approved as another rule is no longer that of the first.
  const files = new Set(rules.filter(isApproved).map(({ file }) => file));
  return {
    unapproved: isBeforeApprovals(place, store, approvals)
      ? []
      : rules.filter((rule) => !isApproved(rule)).map((metadata) => ({ store, metadata, approvals })),
    missing: approvals
      .ids()
      .map((id) => ({ store, id, file: approvals.fileOf(id), approvals }))
      .filter(({ id, file }) => !ids.has(id) && !files.has(file)),
  };
}

/** The rules of trusted stores whose text nobody has approved on this machine. */
export function unapprovedRules(place: Pick<Place, "places">, collection: Collection): UnapprovedRule[] {
  return answersOf(place, collection).flatMap(({ unapproved }) => unapproved);
}

/** The approved rules that are not among what takes force: others removed them, the branch has none, or they are held. */
export function missingRules(place: Pick<Place, "places">, collection: Collection): MissingRule[] {
  return collection.isCut ? [] : answersOf(place, collection).flatMap(({ missing }) => missing);
}

/** Those of them whose file is there, torn, a folder or of another type by now: their approved text stays in force. */
export function heldRules(place: Pick<Place, "places">, collection: Collection): MissingRule[] {
  return missingRules(place, collection).filter(({ store, file }) => {
    try {
      return lstatSync(join(store.root, file)).size >= 0;
    } catch (error) {
      // What cannot be looked at is not said to be gone.
      return systemCode(error) !== "ENOENT";
    }
  });
}

/** Whether a heed that kept no approvals made the store: what lies there is in force until the first look. */
function isBeforeApprovals(place: Pick<Place, "places">, store: StoreRef, approvals: Approvals): boolean {
  if (store.kind !== "user" || approvals.hasBaseline || !wasMadeHere(place, store)) return false;
  return !approvals.isLost || !hasState(place);
}

interface ReviewedCollection {
  collection: Collection;
  /** By `<store id>:<memory id>`: changed by somebody else since it was approved, or new since then. */
  unreviewed: ReadonlyMap<string, "changed" | "new">;
}

/**
 * The collection as it counts here: a rule that somebody else changed, or whose file does not say it any more, stands in
 * it with its approved text, and one that is new counts as one of a store that is not trusted, until it was reviewed.
 */
export async function withApprovals(place: Place, collection: Collection): Promise<ReviewedCollection> {
  const unapproved = unapprovedRules(place, collection);
  const held = heldRules(place, collection);
  if (unapproved.length + held.length === 0) return { collection, unreviewed: new Map() };
  const approved = new Map<string, StoredMemory>();
  const unreviewed = new Map<string, "changed" | "new">();
  for (const { store, metadata, approvals } of unapproved) {
    const known = await readApproved(approvals, store, metadata.id, collection.types);
    if (known) approved.set(memoryKey(metadata), known);
    unreviewed.set(memoryKey(metadata), known ? "changed" : "new");
  }
  const kept: MemoryMetadata[] = [];
  for (const { store, id, approvals } of held) {
    const known = await readApproved(approvals, store, id, collection.types);
    if (!known) continue;
    approved.set(memoryKey(known.metadata), known);
    unreviewed.set(memoryKey(known.metadata), "changed");
    kept.push(known.metadata);
  }
  const asApproved = (metadata: MemoryMetadata): MemoryMetadata =>
    approved.get(memoryKey(metadata))?.metadata ?? metadata;
  const reviewed: Collection = {
    ...collection,
    storeOf: (metadata) => {
      const store = collection.storeOf(metadata);
      return unreviewed.get(memoryKey(metadata)) === "new" ? { ...store, isTrusted: false } : store;
    },
    memories: (types) =>
      withoutDuplicates([...collection.memories(types).map(asApproved), ...kept]).filter(
        ({ type }) => kept.length === 0 || (types?.includes(type) ?? true),
      ),
    memoriesWith: (part) => {
      // What somebody took the guard out of has it as it was approved.
      const changed = [...unapproved.map(({ metadata }) => metadata), ...kept];
      const memories = [...collection.memoriesWith(part), ...changed].map(asApproved);
      return withoutDuplicates(memories).filter((metadata) => hasPart(metadata, part));
    },
    read: async (metadata) => approved.get(memoryKey(metadata)) ?? collection.read(metadata),
  };
  return { collection: reviewed, unreviewed };
}

async function readApproved(
  approvals: Approvals,
  store: StoreRef,
  id: string,
  types: TypeTable,
): Promise<StoredMemory | undefined> {
  const newest = approvals.newestOf(id);
  if (!newest) return undefined;
  const { parseMemoryFile } = await import("../place/changed-store.ts");
  const { memory } = parseMemoryFile(store, newest.file, newest.text, types);
  // A copy that was torn is not what was approved.
  if (memory?.metadata.contentHash !== newest.hash) return undefined;
  return { ...memory, metadata: { ...memory.metadata, id } };
}
