import { HeedError } from "../../errors/heed-error.ts";
import type { StoreReader } from "../../store/store-reader.ts";
import { plainHandle } from "../../memory/handle.ts";
import { fileNameOf } from "../../store/files/memory-path.ts";
import { openCollection } from "../place/collection.ts";
import { openedStore } from "../place/opened-stores.ts";
import { resolveHandle } from "../place/resolve-handle.ts";
import type { Place } from "../place/place.ts";

/** A memory, living or removed, in the store whose history tells of it. */
export interface TrackedMemory {
  store: StoreReader;
  /** Its file now: a memory's or a tombstone's. */
  file: string;
}

/**
 * The memory that a handle means, living ones before removed ones.
 *
 * @throws HeedError `not-found` or `ambiguous`.
 */
export async function trackMemory(place: Place, handle: string): Promise<TrackedMemory> {
  const collection = await openCollection(place, { thoroughness: "full" });
  try {
    const card = resolveHandle(collection, handle);
    return { store: openedStore(place, collection.storeOf(card)), file: card.file };
  } catch (error) {
    const removed =
      error instanceof HeedError && error.code === "not-found" ? findRemoved(place, handle) : undefined;
    if (!removed) throw error;
    return removed;
  }
}

function findRemoved(place: Place, handle: string): TrackedMemory | undefined {
  const wanted = plainHandle(handle);
  for (const ref of place.stores) {
    const store = openedStore(place, ref);
    const found = store
      .listTombstones()
      .find(
        ({ memory: { card } }) =>
          card.name === wanted || card.id === wanted || (wanted !== "" && safeNameOf(card.name) === wanted),
      );
    if (found) return { store, file: found.file };
  }
  return undefined;
}

function safeNameOf(name: string): string {
  try {
    return fileNameOf(name);
  } catch {
    return name;
  }
}
