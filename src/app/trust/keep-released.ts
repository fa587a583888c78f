import type { Actor } from "../../memory/actor.ts";
import type { StoredMemory } from "../../store/files/scan-store.ts";
import { readUserWords, recordUserWord } from "./user-words.ts";
import type { Place } from "../place/place.ts";

/**
 * A memory that needs a person's word stays released through a change: a person's change is their word for what it says
 * now, and one that leaves description and text alone takes the release along (the gate has seen the rest). Any other change makes another text of it, which waits.
 */
export function keepReleased(
  { places, now }: Pick<Place, "places" | "now">,
  change: { actor: Actor; before: StoredMemory | undefined; after: StoredMemory },
): void {
  const { actor, before, after } = change;
  // What was inferred may be about the user (needsOwnersWord).
  if (after.card.flags === undefined && after.card.source !== "inferred") return;
  const isPersons = actor.kind === "person";
  if (!isPersons && !(before && saysTheSame(before, after))) return;
  const words = readUserWords(places);
  const wasReleased = before && words.get(before.card.contentHash) === "confirmed";
  if (words.get(after.card.contentHash) !== "confirmed" && (isPersons || wasReleased))
    recordUserWord(places, after.card, { word: "confirmed", time: now() });
}

function saysTheSame(before: StoredMemory, after: StoredMemory): boolean {
  return before.card.description === after.card.description && before.body.trim() === after.body.trim();
}
