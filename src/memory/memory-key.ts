import type { MemoryCard } from "./memory-card.ts";

/**
 * What tells a memory from every other one on this machine, wherever its file moves to. Sessions, receipts, use and
 * guard logs keep it: its form must stay.
 */
export function memoryKey(card: Pick<MemoryCard, "storeId" | "id">): string {
  return `${card.storeId}:${card.id}`;
}
