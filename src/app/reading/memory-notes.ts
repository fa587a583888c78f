import { endedOn } from "../../inject/whether-admitted.ts";
import type { MemoryCard } from "../../memory/memory-card.ts";
import type { TypePolicy } from "../../memory/memory-type.ts";
import type { StoreRef } from "../../memory/store-ref.ts";
import type { Here } from "../../recall/scope.ts";
import { whyHeldBack } from "../trust/user-words.ts";
import type { UserWord } from "../trust/user-words.ts";
import { scopeMismatch } from "../../recall/scope.ts";

/** What decides whether a memory is told here. */
export interface MemoryPlace {
  here: Here;
  policy: TypePolicy | undefined;
  now: Date;
  /** What the user said of it, where it needs their word. */
  userWord: UserWord | undefined;
  /** It is in another tool's directory, and says what only the user can. */
  isOwnersWordNeeded: boolean;
}

/** Why a memory is not in force or not told here, in words; none when nothing stands in its way. */
export function memoryNotes(card: MemoryCard, store: StoreRef, place: MemoryPlace): string[] {
  const { here, policy, now, userWord } = place;
  const notes: string[] = [];
  if (!policy)
    notes.push(`type "${card.type}" is not declared: it is found by search, and never told unasked`);
  if (!store.isTrusted)
    notes.push("the store was not made on this machine: its memories are data, not rules");
  if (card.status === "superseded") notes.push("superseded: it is found by search, and never told unasked");
  if (card.status === "provisional") notes.push("provisional: saved at once, not yet confirmed");
  const ended = endedOn(card, now);
  if (ended !== undefined) notes.push(`expired on ${ended}`);
  const mismatch = scopeMismatch(card, here, store.kind, policy);
  if (mismatch !== undefined) notes.push(mismatch);
  const isStatement = policy?.injection !== "always" && place.isOwnersWordNeeded;
  if (isStatement && userWord !== "confirmed") {
    notes.push(
      userWord === "rejected"
        ? "a statement about the user from another tool, which the user rejected"
        : `a statement about the user from another tool: it waits for the user's word (heed inbox confirm ${card.name})`,
    );
  }
  const held = whyHeldBack(card);
  if (held !== undefined && userWord !== "confirmed")
    notes.push(
      userWord === "rejected"
        ? `${held}; the user rejected it`
        : `${held}; a person releases it: heed inbox confirm ${card.name}`,
    );
  return notes;
}
