import { Inbox } from "../../curate/inbox.ts";
import { isSaidIn } from "../../curate/users-words.ts";
import { quotationsIn } from "../../memory/codec/quotation.ts";
import type { FoundMemory } from "../place/find-memory.ts";
import { openCollection } from "../place/collection.ts";
import { openedStore } from "../place/opened-stores.ts";
import type { Place } from "../place/place.ts";
import { recentUserTurns } from "../records/session-state.ts";

/** A memory, or a proposal, that a session brought before one of its turns. */
export interface KeptInSession {
  name: string;
  description: string;
  type: string;
  /** So many turns before that one it was said, 1 at least. */
  turnsAgo: number;
  /** ISO time of the turn in which it was said. */
  saidAt: string;
  /** heed kept it itself, and so announced it. */
  isByHeed: boolean;
  /** The memory; a proposal in the inbox has none. */
  memory?: FoundMemory;
}

/** What a session kept or proposed before its turn of that ISO time, the last one first. */
export async function keptBefore(place: Place, session: string, time: string): Promise<KeptInSession[]> {
  const turns = recentUserTurns(place.places, session);
  const at = turns.findLastIndex((turn) => turn.time <= time);
  // It was said in the turn that it quotes; of what quotes none the time tells.
  const turnOf = (body: string, created: string): number => {
    const quotes = quotationsIn(body);
    const said = turns.findLastIndex(({ text }, i) => i < at && quotes.some((one) => isSaidIn(text, one)));
    if (said >= 0 || (turns[at] && created > turns[at].time)) return said;
    return turns.findLastIndex((turn, i) => i < at && turn.time.slice(0, 19) <= created.slice(0, 19));
  };
  const kept: (KeptInSession & { created: string })[] = [];
  const add = (
    one: Pick<KeptInSession, "name" | "description" | "type" | "isByHeed" | "memory">,
    body: string,
    created: string,
  ): void => {
    const turn = turnOf(body, created);
    if (turn >= 0) kept.push({ ...one, created, turnsAgo: at - turn, saidAt: turns[turn]?.time ?? "" });
  };
  for (const { memory, proposal } of new Inbox(place.places, place.types).list()) {
    const { name, description, type, body } = memory;
    if (proposal.by.session !== session || proposal.target !== undefined) continue;
    add({ name, description, type, isByHeed: proposal.by.kind === "hook" }, body, proposal.at);
  }
  const collection = await openCollection(place, { thoroughness: "full" });
  for (const card of collection.cards()) {
    const { name, description, type, origin, created = "" } = card;
    const store = collection.storeOf(card);
    if (origin.session !== session || store.isReadOnly) continue;
    if (place.types.get(type)?.layer === "episodic") continue;
    const read = await collection.read(card);
    if (!read) continue;
    const memory = { ...read, store };
    add({ name, description, type, isByHeed: origin.actor === "hook", memory }, read.body, created);
  }
  return kept.sort((a, b) => a.turnsAgo - b.turnsAgo || b.created.localeCompare(a.created));
}

/** Whether something of a session was removed, changed or rejected since a time, as by its model on the user's word. */
export async function isSettledSince(place: Place, session: string, time: string): Promise<boolean> {
  const since = time.slice(0, 19);
  const isSince = (at: string): boolean => at.slice(0, 19) >= since;
  const rejected = new Inbox(place.places, place.types).listRejected();
  if (rejected.some(({ memory, date }) => memory.origin.session === session && isSince(date))) return true;
  const removed = place.stores.flatMap((store) => openedStore(place, store).listTombstones());
  if (removed.some((one) => one.memory.card.origin.session === session && isSince(one.removed))) return true;
  const collection = await openCollection(place, { thoroughness: "full" });
  return collection
    .cards()
    .some(
      ({ origin, created = "", updated = created }) =>
        origin.session === session && updated !== created && isSince(updated),
    );
}
