import { rmSync } from "node:fs";
import { join } from "node:path";
import { type IndexReader, MANIFEST_FILE, openIndex } from "../search/index/index-reader.ts";
import { checksumOf } from "../search/index/segment/bytes.ts";
import type { TypeTable } from "../memory/memory-type.ts";
import type { StoreRef } from "../memory/memory.ts";
import { writeFileAtomic } from "../machine/atomic-file.ts";
import type { Places } from "../machine/places.ts";
import { MAX_OWN_FILE_BYTES, readRegularFile, stampOf } from "../machine/regular-file.ts";
import type { FileState, FolderState } from "../store/files/scan-store.ts";

/** What was on disk when a store's index was brought up to date: the cheap test for change. */
export interface SeenStore {
  /** Folders of the store; one whose time is the same has no new, removed or renamed file. */
  folders: FolderState[];
  /** Files that hold no memory that can be read: not to be read again until they change. */
  withoutMemory: FileState[];
  typesKey: string;
  /** The generation of the index that holds what was seen: another process may publish one without it. */
  generation: string;
}

export interface OpenedIndex {
  reader: IndexReader;
  seen: SeenStore;
}

/** Folder state of an index that lacks files, or may: it never counts as up to date. */
export const UNFINISHED: FolderState[] = [{ folder: "", changedMs: Number.NaN }];

/** Counted up when the same text is read otherwise, for example flagged by other patterns: indexes are built again. */
const READING = 6;

/** A text that differs when other types are declared: the same files then read otherwise. */
export function typesKeyOf(types: TypeTable): string {
  return `${READING} ${JSON.stringify(types.all())}`;
}

/** Where the index of a store lies: by id and place, so that two clones of one store do not share an index. */
export function indexDirectory(places: Places, store: StoreRef): string {
  // No hash of node:crypto: loading it costs more than the search. The id is what tells stores apart.
  const id = store.id.replace(/[^\w-]/g, "_").slice(0, 40);
  return join(places.cache, "index", `${id}-${checksumOf(Buffer.from(store.root)).toString(16)}`);
}

/** Opens an index, undefined without a sound one. Damage found later throws IndexDamage and takes the index away. */
export function openStoreIndex(directory: string, typesKey: string): OpenedIndex | undefined {
  const seen = damaged.has(directory) ? undefined : readSeen(directory);
  if (!seen || seen.typesKey !== typesKey) return undefined;
  const reader = openIndex(directory, () => {
    damaged.add(directory);
    try {
      rmSync(join(directory, MANIFEST_FILE), { force: true });
    } catch {
      // Where it cannot be removed, this process at least does not open it again.
    }
  });
  if (reader && reader.generation !== seen.generation) seen.folders = UNFINISHED;
  return reader && { reader, seen };
}

/** In which this process found damage, and has not seen them built again. */
const damaged = new Set<string>();

/** A text that changes when another process publishes another generation of the index. */
export function indexStamp(directory: string): string {
  return damaged.has(directory) ? "" : stampOf(join(directory, MANIFEST_FILE));
}

/** Records what the index was built from, after the index; false where that cannot be written. */
export function writeSeen(directory: string, seen: SeenStore): boolean {
  damaged.delete(directory);
  try {
    writeFileAtomic(seenFile(directory), JSON.stringify(seen), { mode: 0o600, isDurable: false });
    return true;
  } catch {
    return false;
  }
}

function readSeen(directory: string): SeenStore | undefined {
  try {
    const text = readRegularFile(seenFile(directory), { maxBytes: MAX_OWN_FILE_BYTES });
    const seen = JSON.parse(text) as SeenStore;
    // Of a damaged one the index is built again. What is no list, or holds no record, throws.
    const names = [
      ...seen.withoutMemory.map(({ file }) => file),
      ...seen.folders.map(({ folder }) => folder),
    ];
    return names.every((name) => typeof name === "string") ? seen : undefined;
  } catch {
    return undefined;
  }
}

function seenFile(directory: string): string {
  return `${directory}.seen.json`;
}
