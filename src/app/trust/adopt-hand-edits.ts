import { join } from "node:path";
import type { MemoryCard } from "../../memory/memory-card.ts";
import type { StoreRef } from "../../memory/store-ref.ts";
import type { ApprovedText } from "../../store/trust/approvals.ts";
import { Approvals, changeApprovals } from "../../store/trust/approvals.ts";
import { contentHashOf } from "../../store/files/content-hash.ts";
import { findHandEdits } from "../../store/history/find-hand-edits.ts";
import { withLock } from "../../platform/file-lock.ts";
import { stateOfStore } from "../../store/config/store-state.ts";
import type { Collection } from "../place/collection.ts";
import { unapprovedRules } from "./rule-approvals.ts";
import type { Place } from "../place/place.ts";
import { MAX_OWN_FILE_BYTES, readRegularFile } from "../../platform/regular-file.ts";

/**
 * Takes what was edited by hand on this machine for the user's word: rules of trusted project stores that differ from
 * what git has committed. What came with a commit waits for a review.
 */
export async function adoptHandEdits(place: Place, collection: Collection): Promise<void> {
  const unapproved = unapprovedRules(place, collection);
  for (const store of new Set(unapproved.map((rule) => rule.store))) {
    const cards = unapproved.filter((rule) => rule.store === store).map(({ card }) => card);
    const files = [...new Set(cards.map(({ file }) => file))];
    const edited = await findHandEdits(store.root, files, place.env);
    const approvals = new Approvals(stateOfStore(place.places, store.root));
    const own = cards.filter(
      ({ file, contentHash }) => edited.has(file) && !approvals.isWaiting(contentHash),
    );
    if (own.length > 0) await approveTexts(place, store, own, []);
  }
}

/** Approves the texts that rules have now, and forgets rules that are no more. */
export async function approveTexts(
  place: Place,
  store: StoreRef,
  cards: readonly MemoryCard[],
  forgotten: readonly string[],
): Promise<void> {
  const state = stateOfStore(place.places, store.root);
  await withLock(state.writeLock, { what: "approve rules" }, () => {
    const approved = cards.flatMap((card): ApprovedText[] => {
      const text = textOf(store, card);
      // What changed since it was looked at is looked at the next time.
      if (contentHashOf(text) !== card.contentHash) return [];
      return [{ id: card.id, name: card.name, hash: card.contentHash, file: card.file, text }];
    });
    changeApprovals(state, { approved, forgotten });
  });
}

/** The file of a memory as it is; empty when it is gone. */
export function textOf(store: StoreRef, card: MemoryCard): string {
  try {
    return readRegularFile(join(store.root, card.file), { maxBytes: MAX_OWN_FILE_BYTES });
  } catch {
    return "";
  }
}
