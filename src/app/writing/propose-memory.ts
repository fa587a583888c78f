import { Inbox } from "../../curate/inbox.ts";
import type { Actor } from "../../memory/actor.ts";
import type { MemoryAmendment } from "../../memory/codec/amend-memory.ts";
import { amendMemory } from "../../memory/codec/amend-memory.ts";
import type { Memory } from "../../memory/memory.ts";
import type { MemoryDraft } from "../../memory/memory-draft.ts";
import type { StoreReader } from "../../store/store-reader.ts";
import type { StoredMemory } from "../../store/files/scan-store.ts";
import { statedGuard } from "./stated-guard.ts";
import type { Place } from "../place/place.ts";
import { shownDiff } from "../../store/history/unified-diff.ts";
import { announcePending } from "./announce.ts";
import type { WriteResult } from "../api/written-memory.ts";

/** A write that has passed the gates and waits for the user's word. */
export interface HeldBack {
  memory: Memory;
  draft: MemoryDraft;
  actor: Actor;
  store: StoreReader;
  current: StoredMemory | undefined;
  changes: MemoryAmendment | undefined;
  reason: string;
}

/** Puts a write into the inbox. */
export async function propose(place: Place, held: HeldBack): Promise<WriteResult> {
  const { memory, actor, store, current, changes, reason } = held;
  const { card } = current ?? {};
  const inbox = new Inbox(place.places, place.types);
  const name = inbox.put(
    { ...memory, status: "provisional" },
    {
      at: place.now().toISOString(),
      reason,
      by: actor,
      store: store.ref.id,
      ...(card && { target: { id: card.id, name: card.name, hash: card.contentHash } }),
      flags: changes?.status === "superseded" ? ["isSuperseded"] : [],
    },
  );
  const text = card && store.read(card.file).text;
  const stated = card?.guard === undefined && statedGuard(memory, place.types.get(memory.type));
  return {
    outcome: "pending",
    name,
    announcement: announcePending(memory, name, reason),
    reason: `${reason}: it counts when the user says so. Ask, then confirm with the user's words as quote; or the user runs: heed confirm ${name}`,
    ...(stated && {
      suggestion: `once it counts it can be enforced: heed guard add ${memory.name} (${stated})`,
    }),
    ...(text !== undefined &&
      changes && { diff: shownDiff(card?.name ?? name, text, amendMemory(text, changes)) }),
  };
}
