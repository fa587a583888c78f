import type { Proposal } from "../../curate/inbox.ts";
import { Inbox, nameOfRemoval } from "../../curate/inbox.ts";
import type { Actor } from "../../memory/actor.ts";
import { codeOfItem } from "../../curate/proposal-code.ts";
import type { Memory } from "../../memory/memory.ts";
import type { StoredMemory } from "../../store/files/scan-store.ts";
import { HeedError } from "../../errors/heed-error.ts";
import type { FoundMemory } from "../place/find-memory.ts";
import type { Place } from "../place/place.ts";

/** Has a memory wait in the inbox: under which name, and the code by which the user answers. */
export function putPending(
  place: Place,
  memory: Memory,
  proposal: Omit<Proposal, "at">,
): { name: string; code: string } {
  const inbox = new Inbox(place.places, place.types);
  const name = inbox.put(memory, { at: place.now().toISOString(), ...proposal });
  const item = inbox.get(name);
  return { name, code: item ? codeOfItem(item) : "" };
}

/** A stored memory as a question about it waits in the inbox: without what only its file says. */
export function asAsked({ card, body }: Pick<StoredMemory, "card" | "body">): {
  memory: Memory;
  target: NonNullable<Proposal["target"]>;
} {
  const { storeId: _s, file: _f, mtimeMs: _m, sizeBytes: _b, contentHash, bodyLength: _l, ...header } = card;
  return { memory: { ...header, body }, target: { id: card.id, name: card.name, hash: contentHash } };
}

/** The answer to whoever wants a memory gone that only the user ends: the wish waits for their approval. */
export function askToForget(place: Place, found: FoundMemory, reason: string, actor: Actor): HeedError {
  const { name, guard } = found.card;
  const { memory, target } = asAsked(found);
  const { code } = putPending(
    place,
    { ...memory, name: nameOfRemoval(name) },
    {
      reason: `a model asks to remove it: ${reason}`,
      by: actor,
      store: found.store.id,
      target,
      flags: ["isRemoval"],
    },
  );
  const remedy = approvalOf(code);
  return new HeedError(
    "gate-refused",
    `only the user ends ${name}: its removal now needs their approval. ${remedy}`,
    { gate: guard === undefined ? "user-word" : "guard", remedy },
  );
}

/** How the user approves what waits: a model that asks them itself would only be told a yes that nobody can check. */
export function approvalOf(code: string): string {
  return `The user answers in a dialog of heed's where one is shown, by \`heed inbox\` in a terminal, or by typing \`heed yes ${code}\` or \`heed no ${code}\` as a prompt. Do not ask them, and go on`;
}
