import { join } from "node:path";
import { appendEvent, readEvents } from "../index/event-log.ts";
import type { MemoryCard } from "../memory/memory-card.ts";
import type { TypePolicy } from "../memory/memory-type.ts";
import type { StoreRef } from "../memory/store-ref.ts";
import type { Collection } from "./collection.ts";
import type { Places } from "../store/places.ts";

/** What the user said of a claim about them. */
export type ClaimWord = "confirmed" | "rejected";

/** Whether a memory is a claim about the user in another tool's directory, where nobody asked the user. */
export function isAttachedClaim(
  store: Pick<StoreRef, "kind">,
  policy: Pick<TypePolicy, "needs"> | undefined,
): boolean {
  return store.kind === "attached" && policy?.needs.includes("confirmation") === true;
}

/**
 * The user's words on claims in other tools' directories, by the content hash of the memory: a claim that is worded
 * otherwise is another one and waits again. Kept privately on this machine, since heed does not write there.
 */
export function readClaimWords(places: Places): ReadonlyMap<string, ClaimWord> {
  const words = new Map<string, ClaimWord>();
  for (const { hash, word } of readEvents(logOf(places))) {
    if (typeof hash === "string" && (word === "confirmed" || word === "rejected")) words.set(hash, word);
  }
  return words;
}

/** The claims of a collection on which the user has said nothing yet. */
export function waitingClaims(places: Places, collection: Collection): MemoryCard[] {
  const types = collection.types.all().filter(({ needs }) => needs.includes("confirmation"));
  const claims = collection
    .cards(types.map(({ name }) => name))
    .filter((card) => isAttachedClaim(collection.storeOf(card), collection.types.get(card.type)));
  if (claims.length === 0) return [];
  const words = readClaimWords(places);
  return claims.filter(({ contentHash, status }) => !words.has(contentHash) && status !== "superseded");
}

/** Records the user's word. Throws what the file system throws. */
export function recordClaimWord(
  places: Places,
  card: Pick<MemoryCard, "contentHash" | "name" | "storeId">,
  said: { word: ClaimWord; reason?: string; time: Date },
): void {
  const { contentHash: hash, name, storeId: store } = card;
  const { word, reason, time } = said;
  appendEvent(logOf(places), {
    hash,
    word,
    name,
    store,
    time: time.toISOString(),
    ...(reason !== undefined && { reason: reason.slice(0, 500) }),
  });
}

function logOf(places: Places): string {
  return join(places.state, "claim-words.jsonl");
}
