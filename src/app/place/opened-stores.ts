import type { StoreRef } from "../../memory/memory.ts";
import type { StoreReader } from "../../store/store-reader.ts";
import type { Place } from "./place.ts";
import { writableStore } from "./writable-store.ts";

/** The store behind a reference, to read it. What changes one is the one writer's: `app/writing/memory-writer.ts`. */
export function openedStore(place: Place, ref: StoreRef): StoreReader {
  return writableStore(place, ref);
}
