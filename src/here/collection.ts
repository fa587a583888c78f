import { join } from "node:path";
import type { Place } from "./place.ts";
import type { RefreshTask } from "./refresh-index.ts";
import { type OpenedIndex, indexDirectory, indexStamp, openStoreIndex, typesKeyOf } from "./store-index.ts";
import { IndexDamage, unlessDamaged } from "../search/index/segment/bytes.ts";
import type { IndexReader } from "../search/index/index-reader.ts";
import type { MetadataPart } from "../search/index/document/index-document.ts";
import { canonicalBody, splitFrontMatter } from "../memory/codec/front-matter.ts";
import { type MemoryMetadata, type StoreRef, memoryKey } from "../memory/memory.ts";
import type { TypeTable } from "../memory/memory-type.ts";
import type { FolderState, StoredMemory } from "../store/files/scan-store.ts";
import { Breather, inTurns } from "../machine/breather.ts";
import { MAX_OWN_FILE_BYTES, folderChangedMs, readFileBelow, statIfThere } from "../machine/regular-file.ts";

type Thoroughness =
  /** Small stores file by file; of larger ones only folders, which misses edits in place until the next `full`. */
  "quick" | "full";

/** Up to this many files each is looked at on every call: 2,000 calls of stat take 5 ms, a bare Node start 25. */
const MAX_STAT_FILES = 1000;

export interface Collection {
  stores: readonly StoreRef[];
  readers: readonly IndexReader[];
  types: TypeTable;
  /** There was no time to read every file: answers may lack memories. */
  isCut: boolean;
  storeOf(metadata: MemoryMetadata): StoreRef;
  memories(types?: readonly string[]): MemoryMetadata[];
  memoriesWith(part: MetadataPart): MemoryMetadata[];
  /** The same, letting others have their turn meanwhile; those that are read until `untilMs` of `performance.now()`. */
  memoriesInTurns(types?: readonly string[], untilMs?: number): Promise<MemoryMetadata[]>;
  read(metadata: MemoryMetadata): Promise<ReadMemory | undefined>;
}

/** With all that its file says now, unless it is one as it was approved. */
type ReadMemory = StoredMemory & { text?: string };

interface StorePart {
  store: StoreRef;
  reader: IndexReader;
  isCut: boolean;
}

/** Brings the indexes of `stores` (default: all here) up to date; scans where there is none. */
export async function openCollection(
  place: Place,
  options: {
    stores?: readonly StoreRef[];
    thoroughness?: Thoroughness;
    deadlineMs?: number;
  } = {},
): Promise<Collection> {
  const { types } = place;
  const deadline = Math.min(place.call.deadlineAtMs, performance.now() + (options.deadlineMs ?? Infinity));
  const typesKey = typesKeyOf(types);
  const parts: StorePart[] = [];
  for (const store of options.stores ?? place.stores) {
    const directory = indexDirectory(place.places, store);
    const cut = place.call.cut.get(directory) as StorePart | undefined;
    const task = { store, directory, types, typesKey, deadline };
    const part = cut ?? (await openPart(place, task, options.thoroughness ?? "quick"));
    if (part.isCut && deadline !== Infinity) place.call.cut.set(directory, part);
    parts.push(part);
  }
  return collectionOf(parts, types);
}

async function openPart(
  place: Place,
  task: Omit<RefreshTask, "isQuick">,
  thoroughness: Thoroughness,
): Promise<StorePart> {
  const { store, directory, typesKey } = task;
  const reopen = (): OpenedIndex | undefined =>
    place.keepOpen(directory, `${indexStamp(directory)} ${typesKey}`, () =>
      openStoreIndex(directory, typesKey),
    );
  const opened = reopen();
  if (opened && (await isCurrent(store, opened, thoroughness)))
    return { store, reader: opened.reader, isCut: false };
  const { refreshIndex } = await import("./refresh-index.ts");
  const isQuick = thoroughness !== "full" && opened !== undefined && !isSmall(opened);
  const { isCut, inMemory } = refreshIndex({ ...task, isQuick }, opened);
  const reader = inMemory ?? (reopen() ?? opened)?.reader;
  if (!reader) throw new IndexDamage("another process removed an index");
  return { store, reader, isCut };
}

const isSmall = ({ reader, seen }: OpenedIndex): boolean =>
  reader.documentCount + seen.withoutMemory.length <= MAX_STAT_FILES;

async function isCurrent(store: StoreRef, opened: OpenedIndex, thoroughness: Thoroughness): Promise<boolean> {
  const { reader, seen } = opened;
  // No file came, went or was renamed where no folder changed.
  const isSame = ({ folder, changedMs }: FolderState): boolean =>
    folderChangedMs(join(store.root, folder)) === changedMs;
  if (!seen.folders.every(isSame)) return false;
  if (thoroughness === "quick" && !isSmall(opened)) return true;
  const table = unlessDamaged(() => reader.fileTable());
  if (!table) return false;
  const breather = new Breather();
  for (const entry of [...table, ...seen.withoutMemory]) {
    const stats = statIfThere(join(store.root, entry.file));
    if (stats?.mtimeMs !== entry.mtimeMs || stats.size !== entry.sizeBytes) return false;
    if (breather.isDue) await breather.rest();
  }
  return true;
}

function collectionOf(parts: readonly StorePart[], types: TypeTable): Collection {
  const byId = new Map(parts.map(({ store }) => [store.id, store]));
  const storeOf = (metadata: MemoryMetadata): StoreRef => {
    const store = byId.get(metadata.storeId);
    if (!store) throw new RangeError(`no store ${metadata.storeId} in this collection`);
    return store;
  };
  return {
    stores: parts.map(({ store }) => store),
    readers: parts.map(({ reader }) => reader),
    types,
    isCut: parts.some(({ isCut }) => isCut),
    storeOf,
    memories: (wanted) => parts.flatMap(({ reader }) => reader.memories(wanted)),
    memoriesWith: (part) => parts.flatMap(({ reader }) => reader.memoriesWith(part)),
    memoriesInTurns: (wanted, untilMs) => inTurns(slicesOf(parts, wanted), untilMs),
    read: (metadata) => readNow(storeOf(metadata), metadata, types),
  };
}

function* slicesOf(
  parts: readonly StorePart[],
  types: readonly string[] | undefined,
): Generator<readonly MemoryMetadata[]> {
  for (const { reader } of parts) yield* reader.metadataSlices(types);
}

/** Does not parse an unchanged file: its text is what follows the front matter. A changed one is read again. */
async function readNow(
  store: StoreRef,
  metadata: MemoryMetadata,
  types: TypeTable,
): Promise<ReadMemory | undefined> {
  try {
    const { text, stats } = readFileBelow(store.root, metadata.file, MAX_OWN_FILE_BYTES);
    const isSame = stats.mtimeMs === metadata.mtimeMs && stats.size === metadata.sizeBytes;
    if (isSame && text !== undefined && metadata.section === undefined)
      return { metadata, body: canonicalBody(splitFrontMatter(text).body), text };
  } catch {
    return undefined;
  }
  const { readMemoryFile } = await import("../store/files/scan-store.ts");
  const { memories, text = "" } = readMemoryFile(store, metadata.file, types);
  const { section, id } = metadata;
  const found = section === undefined ? memories[0] : memories.find((one) => one.metadata.id === id);
  return found && { ...found, text };
}

/** Whether maintenance may change a memory at all: it has a file to itself, in a store that is trusted and heed's to write. */
export function mayTouch(metadata: MemoryMetadata, collection: Collection): boolean {
  const { isReadOnly, isTrusted } = collection.storeOf(metadata);
  return !isReadOnly && isTrusted && metadata.section === undefined;
}

/** By the readers of a collection, which do not change: an answer asks for each of its memories two or three times. */
const superseders = new WeakMap<Collection["readers"], Map<string, MemoryMetadata | undefined>>();

/** A memory that says it takes the place of another one, and is itself in force. */
export function supersederOf(
  metadata: MemoryMetadata,
  { readers }: Pick<Collection, "readers">,
): MemoryMetadata | undefined {
  const known = superseders.get(readers) ?? new Map<string, MemoryMetadata | undefined>();
  superseders.set(readers, known);
  const key = `${memoryKey(metadata)} ${metadata.name}`;
  if (known.has(key)) return known.get(key);
  const handles = [metadata.id, metadata.name, `heed:${metadata.name}`];
  const linked = readers.filter((reader) => reader.hasLinks);
  const newer = handles
    .flatMap((handle) => linked.flatMap((reader) => reader.memoriesLinkingTo(handle)))
    .find(
      (other) =>
        memoryKey(other) !== memoryKey(metadata) &&
        other.status !== "superseded" &&
        other.links.some(({ rel, to }) => rel === "supersedes" && handles.includes(to)),
    );
  known.set(key, newer);
  return newer;
}
