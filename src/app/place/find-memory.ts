import { Inbox } from "../../curate/inbox.ts";
import { cutShown } from "../../screening/cut-shown.ts";
import { HeedError } from "../../errors/heed-error.ts";
import type { MemoryCard } from "../../memory/memory-card.ts";
import { plainHandle } from "../../memory/handle.ts";
import type { StoreRef } from "../../memory/store-ref.ts";
import type { StoredMemory } from "../../store/files/scan-store.ts";
import type { Collection } from "./collection.ts";
import { openCollection } from "./collection.ts";
import type { Place } from "./place.ts";
import { resolveHandle } from "./resolve-handle.ts";

/** A memory and the store that holds it. */
export interface FoundMemory extends StoredMemory {
  store: StoreRef;
}

/**
 * The memory that a handle means, as its file says now.
 *
 * @throws HeedError `not-found` with suggestions, `ambiguous` with candidates.
 */
export async function findMemory(place: Place, handle: string): Promise<FoundMemory> {
  const collection = await openCollection(place, { thoroughness: "full" });
  const card = resolveOrExplain(place, collection, handle);
  const read = await collection.read(card);
  if (!read) throw notFound(handle, []);
  return { ...read, store: collection.storeOf(card) };
}

/** A handle of something in the inbox means no memory yet: the error says what to do with it. */
function resolveOrExplain(place: Place, collection: Collection, handle: string): MemoryCard {
  try {
    return resolveHandle(collection, handle);
  } catch (error) {
    const { types } = place;
    const item = new Inbox(place.places, types).get(plainHandle(handle));
    if (!item || !(error instanceof HeedError) || error.code !== "not-found") throw error;
    const { name } = item.memory;
    throw new HeedError(
      "not-found",
      `"${name}" waits for the user's word and is no memory yet: \`heed inbox confirm ${name}\` first, or \`heed inbox reject ${name}\` and write it anew`,
      { handle, suggestions: [] },
      { cause: error },
    );
  }
}

/** The error for a handle that means nothing, with the names that may have been meant. */
export function notFound(handle: string, suggestions: readonly string[]): HeedError {
  const hint =
    suggestions.length > 0 ? `did you mean ${suggestions.join(", ")}?` : "`heed list` names them all";
  return new HeedError("not-found", `there is no memory "${cutShown(handle, 80)}": ${hint}`, {
    handle,
    suggestions: [...suggestions],
  });
}
