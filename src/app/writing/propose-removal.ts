import { Inbox } from "../../curate/inbox.ts";
import { nameOfRemoval } from "../../curate/withdrawing-turn.ts";
import type { Actor } from "../../memory/actor.ts";
import { HeedError } from "../../errors/heed-error.ts";
import type { FoundMemory } from "../place/find-memory.ts";
import type { Place } from "../place/place.ts";

/** Puts the wish to remove a memory into the inbox; returns the name under which it waits for the user's word. */
export function proposeRemoval(
  place: Place,
  { card, store, body }: FoundMemory,
  { reason, by }: { reason: string; by: Actor },
): string {
  const { storeId: _s, file: _f, mtimeMs: _m, sizeBytes: _b, contentHash, bodyLength: _l, ...header } = card;
  return new Inbox(place.places, place.types).put(
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
}

/** The answer to whoever wants a rule gone that the user has not taken back: it waits, and what is to be done. */
export function askToForget(place: Place, found: FoundMemory, reason: string, actor: Actor): HeedError {
  const name = proposeRemoval(place, found, { reason: `a model asks to forget it: ${reason}`, by: actor });
  const why =
    found.card.guard === undefined
      ? "is a rule that the user gave, and nothing they said in this session takes it back"
      : "carries a guard, and only the user takes that out of force";
  return new HeedError(
    "gate-refused",
    `${found.card.name} ${why}. The wish waits for their word: ask them whether it is to go; on a yes confirm ${name} with their answer as quote, on a no reject it. Or they run: heed confirm ${name}`,
    {
      gate: found.card.guard === undefined ? "user-word" : "guard",
      remedy: `ask the user, then memory_confirm {name: "${name}", quote: their answer}; or they run heed confirm ${name}`,
    },
  );
}
