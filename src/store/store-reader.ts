import type { FileMemoryStore } from "./file-memory-store.ts";

export type StoreReader = Pick<
  FileMemoryStore,
  "ref" | "read" | "list" | "listTombstones" | "history" | "reconcile" | "refresh" | "finish"
>;
