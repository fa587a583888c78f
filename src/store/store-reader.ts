import type { FileMemoryStore } from "./file-memory-store.ts";

/** A store for whoever changes nothing in it. */
export type StoreReader = Pick<
  FileMemoryStore,
  "ref" | "read" | "list" | "listTombstones" | "history" | "reconcile" | "refresh" | "finish"
>;
