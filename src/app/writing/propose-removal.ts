import { Inbox, nameOfRemoval } from "../../curate/inbox.ts";
import { codeOfItem } from "../../curate/proposal-code.ts";
import type { Actor } from "../../memory/actor.ts";
import { HeedError } from "../../errors/heed-error.ts";
import type { FoundMemory } from "../place/find-memory.ts";
import type { Place } from "../place/place.ts";

/** Puts the wish to remove a memory into the inbox; returns its name there, and the code by which the user approves it. */
export function proposeRemoval(
  place: Place,
  { card, store, body }: FoundMemory,
  { reason, by }: { reason: string; by: Actor },
): { name: string; code: string } {
  const { storeId: _s, file: _f, mtimeMs: _m, sizeBytes: _b, contentHash, bodyLength: _l, ...header } = card;
  const inbox = new Inbox(place.places, place.types);
  const name = inbox.put(
    { ...header, name: nameOfRemoval(card.name), body },
    {
      at: place.now().toISOString(),
      reason,
      by,
      store: store.id,
      target: { id: card.id, name: card.name, hash: contentHash },
      flags: ["isRemoval"],
    },
  );
  const item = inbox.get(name);
  return { name, code: item ? codeOfItem(item) : "" };
}

/** The answer to whoever wants a memory gone that only the user ends: the wish waits for their approval. */
export function askToForget(place: Place, found: FoundMemory, reason: string, actor: Actor): HeedError {
  const { code } = proposeRemoval(place, found, {
    reason: `a model asks to remove it: ${reason}`,
    by: actor,
  });
  const remedy = approvalOf(code);
  return new HeedError(
    "gate-refused",
    `only the user ends ${found.card.name}: its removal now needs their approval. ${remedy}`,
    { gate: found.card.guard === undefined ? "user-word" : "guard", remedy },
  );
}

/** How the user approves what waits: a model that asks them itself would only be told a yes that nobody can check. */
export function approvalOf(code: string): string {
  return `heed asks the user itself where the client has a dialog; else they type \`heed yes ${code}\` or \`heed no ${code}\` as a prompt. Do not ask them, and go on`;
}
