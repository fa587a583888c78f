import { join } from "node:path";
import { type Collection, openCollection } from "../place/collection.ts";
import type { Place } from "../place/place.ts";
import { isReviewed, rulesOf, unapprovedRules, wasMadeHere } from "./rule-approvals.ts";
import type { MemoryMetadata } from "../../memory/memory-metadata.ts";
import type { StoreRef } from "../../memory/store-ref.ts";
import { withLock } from "../../platform/file-lock.ts";
import { MAX_OWN_FILE_BYTES, readRegularFile } from "../../platform/regular-file.ts";
import { stateOfStore } from "../../store/config/store-state.ts";
import { contentHashOf } from "../../store/files/scan-store.ts";
import { Approvals, type ApprovedText, changeApprovals } from "../../store/trust/approvals.ts";

/**
 * Runs what changes files of stores below the writer, for the user and by rules of heed's (a sync, a scrub): what was
 * approved before stays so in its new text, and what waited for a review waits on.
 */
export async function keepingApprovals<T>(place: Place, run: () => Promise<T>): Promise<T> {
  const before = await openCollection(place, { thoroughness: "full" });
  const waiting = new Set(unapprovedRules(place, before).map(({ metadata }) => metadata.contentHash));
  const result = await run();
  place.lookAgain();
  const after = await openCollection(place, { thoroughness: "full" });
  for (const store of after.stores.filter(isReviewed)) {
    const approvals = new Approvals(stateOfStore(place.places, store.root));
    const approved = rulesOf(after, store).filter(
      (metadata) => !waiting.has(metadata.contentHash) && !approvals.has(metadata.id, metadata.contentHash),
    );
    if (approved.length > 0 && (store.kind !== "user" || approvals.hasBaseline))
      await approveTexts(place, store, { approved });
  }
  return result;
}

/** Approves the texts that rules have now, and forgets rules that are no more. */
export async function approveTexts(
  place: Place,
  store: StoreRef,
  {
    approved: memories,
    forgotten = [],
    isBaseline = false,
  }: { approved: readonly MemoryMetadata[]; forgotten?: readonly string[]; isBaseline?: boolean },
): Promise<void> {
  const state = stateOfStore(place.places, store.root);
  await withLock(state.writeLock, { what: "approve rules" }, () => {
    const approved = memories.flatMap((metadata): ApprovedText[] => {
      const text = textOf(store, metadata);
      // What changed since it was looked at is looked at the next time.
      if (contentHashOf(text) !== metadata.contentHash) return [];
      return [
        { id: metadata.id, name: metadata.name, hash: metadata.contentHash, file: metadata.file, text },
      ];
    });
    changeApprovals(state, { approved, forgotten, isBaseline });
  });
}

/** The file of a memory as it is; empty when it is gone. */
export function textOf(store: StoreRef, metadata: MemoryMetadata): string {
  try {
    return readRegularFile(join(store.root, metadata.file), { maxBytes: MAX_OWN_FILE_BYTES });
  } catch {
    return "";
  }
}

/**
 * Approves what lies in the user's own store when heed first looks at it with a list of approvals, where a heed
 * that kept none has made it on this machine. From then on only what passes heed, or was reviewed, takes force. Files that
 * lie where no store was made here wait for a look from the beginning, whatever they say of themselves.
 */
export async function takeBaseline(place: Place, collection: Collection): Promise<void> {
  if (collection.isCut) return;
  for (const store of collection.stores.filter((one) => one.kind === "user" && isReviewed(one))) {
    if (new Approvals(stateOfStore(place.places, store.root)).hasBaseline) continue;
    const approved = wasMadeHere(place, store) ? rulesOf(collection, store) : [];
    await approveTexts(place, store, { approved, isBaseline: true });
  }
}
