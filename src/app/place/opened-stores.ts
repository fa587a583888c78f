import type { StoreRef } from "../../memory/store-ref.ts";
import type { MemoryStore } from "../../store/memory-store.ts";
import { openMemoryStore } from "../../store/open-memory-store.ts";
import { openedStores } from "./pending-settlements.ts";
import type { Workspace } from "./place.ts";

/** The store behind a reference; the same one on each call, since it keeps what is still to be settled. */
export function openedStore(workspace: Workspace, ref: StoreRef): MemoryStore {
  const stores = openedStores(workspace);
  const key = `${ref.id}\n${ref.root}\n${ref.isReadOnly}`;
  const known = stores.get(key);
  if (known) return known;
  const store = openMemoryStore(ref, {
    places: workspace.places,
    types: workspace.find().types,
    now: () => workspace.now(),
    env: workspace.env,
  });
  stores.set(key, store);
  return store;
}
