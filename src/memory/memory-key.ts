import type { MemoryMetadata } from "./memory-metadata.ts";

/**
 * What tells a memory from every other one on this machine, wherever its file moves to. Sessions, receipts, use and
 * guard logs keep it: its form must stay.
 */
export function memoryKey(metadata: Pick<MemoryMetadata, "storeId" | "id">): string {
  return `${metadata.storeId}:${metadata.id}`;
}
