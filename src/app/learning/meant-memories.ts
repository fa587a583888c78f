import type { FoundMemory } from "../place/find-memory.ts";
import type { Collection } from "../place/collection.ts";
import { search } from "../../recall/search.ts";
import { memoryKey } from "../../memory/memory-key.ts";
import { readSession } from "../records/session-state.ts";
import type { Place } from "../place/place.ts";

/** A memory that is not cited must share so much with the user's sentence to be meant by it. */
const NEAR = 0.6;
/** One that is cited is meant; the sentence in it must still be found. */
const CITED = 0.3;

/**
 * The memories that a sentence may be about: those that are cited by their handles, else those that come near to it.
 * Records of sessions quote what was said in them, so they come nearest to everything, and are meant by nothing.
 */
export async function meantMemories(
  place: Place,
  collection: Collection,
  sentence: string,
  handles: readonly string[],
  session: string,
): Promise<{ memory: FoundMemory; minShare: number }[]> {
  const told = readSession(place.places, session).context.told;
  const types = place.types.all().flatMap(({ layer, name }) => (layer === "episodic" ? [] : [name]));
  const cited = collection.cards().filter((card) => handles.includes(card.name) && types.includes(card.type));
  const near =
    handles.length > 0
      ? []
      : search(collection.readers, { text: sentence, syntax: "prompt", limit: 3, types }).hits.map(
          ({ card }) => card,
        );
  const meant: { memory: FoundMemory; minShare: number }[] = [];
  for (const card of [...cited, ...near]) {
    const read = await collection.read(card);
    if (!read) continue;
    const wasTold = told.has(memoryKey(card));
    const minShare = handles.includes(card.name) ? CITED : wasTold ? NEAR - 0.1 : NEAR;
    meant.push({ memory: { ...read, store: collection.storeOf(card) }, minShare });
  }
  return meant;
}
