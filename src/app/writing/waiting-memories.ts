import type { Actor } from "../../memory/actor.ts";
import { HeedError } from "../../errors/heed-error.ts";
import type { MemoryCard } from "../../memory/memory-card.ts";
import { redactSecrets } from "../../screening/redact-secrets.ts";
import type { StoreRef } from "../../memory/store-ref.ts";
import { join } from "node:path";
import {
  needsWord,
  readUserWords,
  recordUserWord,
  waitingMemories,
  whyHeldBack,
} from "../trust/user-words.ts";
import type { Collection } from "../place/collection.ts";
import { openCollection } from "../place/collection.ts";
import { resolveHandle } from "../place/resolve-handle.ts";
import type { Place } from "../place/place.ts";
import { announce } from "./announce.ts";
import type { PendingItem } from "../api/inbox.ts";
import type { WriteResult } from "../api/written-memory.ts";

/** A stored memory that lacks the user's word: a statement in another tool's directory, or a text held back. */
export interface WaitingMemory {
  card: MemoryCard;
  body: string;
  store: StoreRef;
}

/** All of them, by name. */
export async function listWaitingMemories(place: Place): Promise<WaitingMemory[]> {
  const collection = await openCollection(place, { thoroughness: "full" });
  const found: WaitingMemory[] = [];
  for (const card of waitingMemories(place.places, collection, await collection.cardsInTurns())) {
    const read = await collection.read(card);
    if (read) found.push({ ...read, store: collection.storeOf(card) });
  }
  return found.sort((a, b) => a.card.name.localeCompare(b.card.name, "en"));
}

/** A waiting memory as the inbox shows it. */
export function asPendingItem({ card, body, store }: WaitingMemory): PendingItem {
  const { name, description, type } = card;
  return {
    name,
    description: redactSecrets(description),
    type,
    body: redactSecrets(body),
    reason: whyHeldBack(card) ?? whyWaiting({ card, store }),
    proposedAt: card.updated ?? card.created ?? new Date(card.mtimeMs).toISOString(),
  };
}

function whyWaiting({ card, store }: Pick<WaitingMemory, "card" | "store">): string {
  if (store.kind === "attached")
    return `${card.type === "feedback" ? "a rule" : "a statement about the user"} in ${store.root}, which another tool owns`;
  return `it was inferred about the user, who has not said so here (it came by a sync, a clone or an edit into ${store.root})`;
}

/** The waiting memory of that handle, if it is one. */
export async function findWaitingMemory(place: Place, handle: string): Promise<WaitingMemory | undefined> {
  const collection = await openCollection(place, { thoroughness: "full" });
  const card = findCard(collection, handle);
  const read = card && (await collection.read(card));
  if (!read) return undefined;
  return waitingMemories(place.places, collection, [read.card]).length > 0
    ? { ...read, store: collection.storeOf(card) }
    : undefined;
}

function findCard(collection: Collection, handle: string): MemoryCard | undefined {
  try {
    return resolveHandle(collection, handle);
  } catch (error) {
    if (error instanceof HeedError && error.code === "not-found") return undefined;
    throw error;
  }
}

/**
 * Records the user's word for a waiting memory: from now on it holds like any other, as long as it reads the same.
 */
export function confirmWaiting(place: Place, { card, store }: WaitingMemory): WriteResult {
  recordUserWord(place.places, card, { word: "confirmed", time: place.now() });
  const policy = place.types.get(card.type);
  return {
    outcome: "unchanged",
    card,
    path: join(store.root, card.file),
    announcement: announce("confirmed", card, policy),
    warnings: [],
  };
}

/** Takes the user's word on a stored memory back, so that it waits again; whether there was one. */
export async function askAgain(place: Place, handle: string): Promise<boolean> {
  const collection = await openCollection(place, { thoroughness: "full" });
  const words = readUserWords(place.places);
  const card = findCard(collection, handle);
  if (!card || !needsWord(card, collection) || !words.has(card.contentHash)) return false;
  recordUserWord(place.places, card, { word: "taken back", time: place.now() });
  return true;
}

/** Records that a waiting memory does not hold: it stays in its directory, and is neither told nor asked about again. */
export function rejectWaiting(place: Place, { card }: WaitingMemory, reason: string, actor: Actor): void {
  recordUserWord(place.places, card, { word: "rejected", by: actor.kind, reason, time: place.now() });
}
