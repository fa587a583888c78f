import type { Actor } from "../../memory/actor.ts";
import type { MemoryAmendment } from "../../memory/codec/amend-memory.ts";
import { amendMemory } from "../../memory/codec/amend-memory.ts";
import type { Memory } from "../../memory/memory.ts";
import type { StoreReader } from "../../store/store-reader.ts";
import type { StoredMemory } from "../../store/files/scan-store.ts";
import type { Place } from "../place/place.ts";
import { shownDiff } from "../../store/history/unified-diff.ts";
import { announcePending } from "./announce.ts";
import { approvalOf, putPending } from "./ask-user.ts";
import type { WriteResult } from "../api/written-memory.ts";

/** A write that has passed the gates and waits for the user's word. */
export interface HeldBack {
  memory: Memory;
  actor: Actor;
  store: StoreReader;
  current: StoredMemory | undefined;
  changes: MemoryAmendment | undefined;
  reason: string;
  /** Guards that came with the rule: whoever says yes to it says yes to them. */
  guards?: readonly unknown[] | undefined;
}

/** Puts a write into the inbox. */
export async function propose(place: Place, held: HeldBack): Promise<WriteResult> {
  const { memory, actor, store, current, changes, reason, guards } = held;
  const { card } = current ?? {};
  const { name, code } = putPending(
    place,
    { ...memory, ...(guards && { guard: guards }), status: "provisional" },
    {
      reason,
      by: actor,
      store: store.ref.id,
      ...(card && { target: { id: card.id, name: card.name, hash: card.contentHash } }),
      flags: changes?.status === "superseded" ? ["isSuperseded"] : [],
    },
  );
  const text = card && store.read(card.file).text;
  return {
    outcome: "pending",
    name,
    code,
    announcement: announcePending(memory, code, reason),
    reason: `${reason}: it needs the user's approval and is not in force. ${approvalOf(code)}`,
    ...(text !== undefined &&
      changes && { diff: shownDiff(card?.name ?? name, text, amendMemory(text, changes)) }),
  };
}
