import { Inbox } from "../../curate/inbox.ts";
import type { MemoryDraft } from "../../memory/memory-draft.ts";
import type { ImportedMemory } from "../api/exchange-reports.ts";
import type { Collection } from "../place/collection.ts";
import { openedStore } from "../place/opened-stores.ts";
import type { Place } from "../place/place.ts";

/** A memory that was here once, and what became of it. */
export interface KnownMemory {
  name: string;
  description: string;
  state: "living" | "waiting" | "gone";
}

/** Everything that was here once, by id: also what was removed and rejected since, which does not come back by itself. */
export function knownMemories(place: Place, collection: Collection): Map<string, KnownMemory> {
  const known = new Map<string, KnownMemory>();
  const keep = (
    id: string,
    { name, description }: Omit<KnownMemory, "state">,
    state: KnownMemory["state"],
  ): void => {
    known.set(id, { name, description, state });
  };
  const inbox = new Inbox(place.places, place.types);
  for (const { memory } of inbox.listRejected()) keep(memory.id, memory, "gone");
  for (const { memory } of inbox.list()) keep(memory.id, memory, "waiting");
  for (const store of place.stores)
    for (const { memory } of openedStore(place, store).listTombstones())
      keep(memory.card.id, memory.card, "gone");
  for (const card of collection.cards()) keep(card.id, card, "living");
  return known;
}

/** What is said of a statement that was imported before. */
export function comparedWith(
  known: KnownMemory,
  draft: MemoryDraft,
): Pick<ImportedMemory, "outcome" | "detail"> {
  if (known.state === "gone") return { outcome: "known", detail: "it was removed or rejected here since" };
  if (known.state === "waiting") return { outcome: "known", detail: "it needs your approval: heed inbox" };
  if (known.description === draft.description.trim()) return { outcome: "known" };
  return { outcome: "changed", detail: `here it says: ${known.description}` };
}
