import type { StoreRef } from "../../memory/store-ref.ts";
import type { MemoryStore } from "../../store/memory-store.ts";
import { openMemoryStore } from "../../store/open-memory-store.ts";
import type { Place } from "./place.ts";

/** The store behind a reference; the same one on each call, since it keeps what is still to be settled. */
export function openedStore(place: Place, ref: StoreRef): MemoryStore {
  const stores = place.workspace.opened;
  const key = `${ref.id}\n${ref.root}\n${ref.isReadOnly}`;
  const known = stores.get(key);
  if (known) return known;
  const store = openMemoryStore(ref, {
    places: place.places,
    types: place.types,
    now: () => place.now(),
    env: place.env,
  });
  stores.set(key, store);
  return store;
}
