import type { StoreRef } from "../memory/store-ref.ts";
import type { FileStoreOptions } from "./file-memory-store.ts";
import { FileMemoryStore } from "./file-memory-store.ts";
import type { MemoryStore } from "./memory-store.ts";

/** Opens the store that a reference names. Reads nothing until it is asked to. */
export function openMemoryStore(ref: StoreRef, options: FileStoreOptions): MemoryStore {
  return new FileMemoryStore(ref, options);
}
