import type { MemoryCard } from "../../memory/memory-card.ts";
import type { TypeTable } from "../../memory/memory-type.ts";
import type { StoreRef } from "../../memory/store-ref.ts";
import type { Workspace } from "../workspace.ts";

/** The memories of the stores that hold here. */
export interface Collection {
  types: TypeTable;
  isCut: boolean;
  storeOf(card: MemoryCard): StoreRef;
  cards(types?: readonly string[]): MemoryCard[];
  read(card: MemoryCard): Promise<{ card: MemoryCard; body: string } | undefined>;
}

/** Reads every file of every store. */
export async function openCollection(
  workspace: Workspace,
  options: { deadlineMs?: number } = {},
): Promise<Collection> {
  const { scanStore } = await import("../../store/scan-store.ts");
  const { stores, types } = workspace.find();
  const deadline = performance.now() + (options.deadlineMs ?? Infinity);
  const byId = new Map(stores.map((store) => [store.id, store]));
  const read = stores.filter(() => performance.now() < deadline);
  const memories = read.flatMap((store) => scanStore(store, types).memories);
  return {
    types,
    isCut: read.length < stores.length,
    storeOf: (card) => {
      const store = byId.get(card.storeId);
      if (!store) throw new RangeError(`no store ${card.storeId} in this collection`);
      return store;
    },
    cards: (wanted) =>
      memories.map(({ card }) => card).filter((card) => wanted === undefined || wanted.includes(card.type)),
    read: (card) =>
      Promise.resolve(
        memories.find((memory) => memory.card.storeId === card.storeId && memory.card.id === card.id),
      ),
  };
}
