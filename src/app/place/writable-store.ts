import type { StoreRef } from "../../memory/memory.ts";
import type { MemoryStore } from "../../store/memory-store.ts";
import { FileMemoryStore } from "../../store/file-memory-store.ts";
import type { Place } from "./place.ts";

/**
 * The store behind a reference, with what changes it; the same one on each call, since it keeps what is still to be
 * settled. For the one writer alone (`app/writing/memory-writer.ts`): `npm run check` fails on any other importer.
 */
export function writableStore(place: Place, ref: StoreRef): MemoryStore {
  const { opened } = place.workspace;
  const key = `${ref.id}\n${ref.root}\n${ref.isReadOnly}`;
  const known = opened.get(key);
  // Others see readers in this map: what it holds was put there below.
  if (known) return known as MemoryStore;
  const store = new FileMemoryStore(ref, {
    places: place.places,
    types: place.types,
    now: () => place.workspace.now(),
    env: place.env,
  });
  opened.set(key, store);
  return store;
}
