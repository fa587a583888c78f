import type { MemoryMetadata, StoreRef } from "../memory/memory.ts";
import { unlessDamaged } from "../search/index/segment/bytes.ts";
import type { StoreReader } from "../store/store-reader.ts";
import { FileMemoryStore } from "../store/file-memory-store.ts";
import type { Place } from "./place.ts";
import { indexDirectory, openStoreIndex, typesKeyOf } from "./store-index.ts";
import type { ChangeRecord } from "../store/history/change-record.ts";
import type { HistoryEntry } from "../store/history/store-history.ts";

/** The store behind a reference, the same on each call, to read it. The one writer alone may take it for more. */
export function openedStore(place: Place, ref: StoreRef): StoreReader {
  const { opened } = place.workspace;
  const { server } = ref;
  const key = `${place.cwd}\n${ref.id}\n${ref.root}\n${ref.isReadOnly} ${ref.isTrusted}`;
  const known = opened.get(key);
  if (known) return known;
  const store = new FileMemoryStore(ref, {
    places: place.places,
    types: place.types,
    now: () => place.workspace.now(),
    env: place.env,
    indexed: () => indexedIn(place, ref),
    shared:
      server && (async () => (await import("./team-connection.ts")).teamLogOf(place, { ...ref, server })),
  });
  opened.set(key, store);
  return store;
}

function indexedIn({ places, types }: Place, ref: StoreRef): readonly MemoryMetadata[] {
  const opened = openStoreIndex(indexDirectory(places, ref), typesKeyOf(types));
  try {
    return unlessDamaged(() => opened?.reader.memories()) ?? [];
  } finally {
    opened?.reader.close();
  }
}

/** One entry of the history of a store. */
export interface Change {
  /** Commit, or entry of the change journal where the store is no git repository of heed's. */
  id: string;
  time: string;
  actor: string;
  /** What and why, one line. */
  summary: string;
  files: string[];
}

/** A change just made, under the id that the history of its store has for it from now on. */
export async function changeMade(store: StoreReader, record: ChangeRecord): Promise<Change> {
  await store.reconcile();
  const made = (await store.history().entries()).find((entry) => entry.record === record.id);
  if (made) return changeOf(made);
  const { id, time, actor, summary, files } = record;
  return { id, time, actor: actor.client ?? actor.kind, summary, files: files.map(({ file }) => file) };
}

export function changeOf({ id, time, actor, summary, files }: HistoryEntry): Change {
  return { id, time, actor, summary, files: files.map(({ file }) => file) };
}
