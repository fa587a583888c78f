import type { Actor } from "../../memory/actor.ts";
import { HeedError } from "../../errors/heed-error.ts";
import type { MemoryCard } from "../../memory/memory-card.ts";
import { redactSecrets } from "../../screening/redact-secrets.ts";
import type { StoreRef } from "../../memory/store-ref.ts";
import { join } from "node:path";
import { recordClaimWord, waitingClaims, whyHeldBack } from "../trust/attached-claims.ts";
import { openCollection } from "../place/collection.ts";
import { resolveHandle } from "../place/resolve-handle.ts";
import type { Workspace } from "../place/place.ts";
import { announce } from "./announce.ts";
import type { PendingItem, WriteResult } from "../api/writing-api.ts";

/** A stored memory on which the user has not given their word: a claim in another tool's directory, or a text held back. */
export interface WaitingClaim {
  card: MemoryCard;
  body: string;
  store: StoreRef;
}

/** All of them, by name. */
export async function listWaitingClaims(workspace: Workspace): Promise<WaitingClaim[]> {
  const collection = await openCollection(workspace, { thoroughness: "full" });
  const claims: WaitingClaim[] = [];
  for (const card of waitingClaims(workspace.places, collection)) {
    const read = await collection.read(card);
    if (read) claims.push({ ...read, store: collection.storeOf(card) });
  }
  return claims.sort((a, b) => a.card.name.localeCompare(b.card.name, "en"));
}

/** A waiting claim as the inbox shows it. */
export function claimAsPending({ card, body, store }: WaitingClaim): PendingItem {
  const { name, description, type } = card;
  return {
    name,
    description: redactSecrets(description),
    type,
    body: redactSecrets(body),
    reason:
      whyHeldBack(card) ??
      `${type === "user" ? "a claim about the user" : "a rule"} in ${store.root}, which another tool owns`,
    proposedAt: card.updated ?? card.created ?? new Date(card.mtimeMs).toISOString(),
  };
}

/** The waiting claim of that handle, if it is one. */
export async function findWaitingClaim(
  workspace: Workspace,
  handle: string,
): Promise<WaitingClaim | undefined> {
  const collection = await openCollection(workspace, { thoroughness: "full" });
  try {
    const card = resolveHandle(collection, handle);
    const read = await collection.read(card);
    const waiting = new Set(
      waitingClaims(workspace.places, collection).map(({ contentHash }) => contentHash),
    );
    return read && waiting.has(read.card.contentHash)
      ? { ...read, store: collection.storeOf(card) }
      : undefined;
  } catch (error) {
    if (error instanceof HeedError && error.code === "not-found") return undefined;
    throw error;
  }
}

/**
 * Records the user's word for a claim: from now on it holds like any memory about the user, as long as it reads the
 * same. Only a person can give it: nothing was proposed to which a later turn could be the answer.
 */
export function confirmClaim(workspace: Workspace, { card, store }: WaitingClaim, actor: Actor): WriteResult {
  if (actor.kind !== "person") {
    const reason = whyHeldBack(card) ?? `${card.name} is a claim of another tool (${store.root})`;
    const remedy = `the user has to say so themselves: heed confirm ${card.name}, in a terminal`;
    return { outcome: "refused", refusals: [{ gate: "user-word", reason, remedy }] };
  }
  recordClaimWord(workspace.places, card, { word: "confirmed", time: workspace.now() });
  const policy = workspace.find().types.get(card.type);
  return {
    outcome: "unchanged",
    card,
    path: join(store.root, card.file),
    announcement: announce("confirmed", card, policy),
    warnings: [],
  };
}

/** Records that a claim does not hold: it stays in its directory, and is neither told nor asked about again. */
export function rejectClaim(workspace: Workspace, { card }: WaitingClaim, reason: string): void {
  recordClaimWord(workspace.places, card, { word: "rejected", reason, time: workspace.now() });
}
