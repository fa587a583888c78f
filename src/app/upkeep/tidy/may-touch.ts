import type { MemoryCard } from "../../../memory/memory-card.ts";
import type { Collection } from "../../place/collection.ts";

/** Whether upkeep may change a memory at all: it has a file to itself, in a store that is trusted and heed's to write. */
export function mayTouch(card: MemoryCard, collection: Collection): boolean {
  const { isReadOnly, isTrusted } = collection.storeOf(card);
  return !isReadOnly && isTrusted && card.section === undefined;
}
