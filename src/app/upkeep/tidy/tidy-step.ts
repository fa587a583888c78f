import type { Actor } from "../../../memory/actor.ts";
import type { TidyStep } from "../../api/upkeep-reports.ts";
import type { MemoryCard } from "../../../memory/memory-card.ts";
import type { Collection } from "../../place/collection.ts";

/** Upkeep acts for nobody: its changes are its own, and say so in the history. */
export const TIDY_ACTOR: Actor = { kind: "hook", client: "heed-tidy" };

/** A step of upkeep and how it is done. Doing it twice, or after a crash in the middle, comes to the same. */
export interface PlannedStep extends TidyStep {
  /** Resolves to the ids of the changes that were made. */
  apply: () => Promise<string[]>;
}

/** Whether upkeep may change a memory at all: it has a file to itself, in a store that is trusted and heed's to write. */
export function mayTouch(card: MemoryCard, collection: Collection): boolean {
  const { isReadOnly, isTrusted } = collection.storeOf(card);
  return !isReadOnly && isTrusted && card.section === undefined;
}
