import { Inbox } from "../../curate/inbox.ts";
import { oneLine } from "../../capture/text/one-line.ts";
import type { Actor } from "../../memory/actor.ts";
import type { ProposalReport } from "../api/learning-reports.ts";
import { openCollection } from "../place/collection.ts";
import type { Place } from "../place/place.ts";
import { MemoryWriter } from "../writing/memory-writer.ts";
import type { ProposeOptions } from "./enter-proposal.ts";

/** "Forget that" means what came in the last minutes, not what was kept in the morning. */
const RECENT_MS = 30 * 60_000;

/**
 * "Forget that": what was kept or proposed last in this session is taken back, where the model has not done so. What was
 * removed or rejected can be brought back.
 */
export async function takeBackLast(
  place: Place,
  { quote, time }: { quote: string; time: string },
  { session, client }: ProposeOptions,
): Promise<ProposalReport | undefined> {
  const oldest = place.now().getTime() - RECENT_MS;
  const isRecent = (at: string): boolean => Date.parse(at) >= oldest && at.slice(0, 19) <= time.slice(0, 19);
  const inbox = new Inbox(place.places, place.types);
  const item = inbox
    .list()
    .filter(({ proposal }) => proposal.by.session === session && isRecent(proposal.at))
    .at(-1);
  const collection = await openCollection(place, { thoroughness: "full" });
  const [card] = collection
    .cards()
    .filter(
      ({ origin, created = "", storeId, type }) =>
        origin.session === session &&
        isRecent(created) &&
        place.types.get(type)?.layer !== "episodic" &&
        place.stores.some(({ id, isReadOnly }) => id === storeId && !isReadOnly),
    )
    .sort((a, b) => (b.created ?? "").localeCompare(a.created ?? ""));
  const reason = `the user said: "${oneLine(quote, 120)}"`;
  const actor: Actor = { kind: "hook", client, session };
  const told = { quote, time, outcome: "saved" as const, about: "forgotten" };
  if (item && (card?.created ?? "") <= item.proposal.at) {
    const { name, description, type } = item.memory;
    inbox.reject(name, { reason, actor, at: place.now() });
    return { ...told, type, description, detail: name };
  }
  if (!card) return undefined;
  await new MemoryWriter(place, actor).remove(card, { kind: "remove", why: reason });
  return { ...told, type: card.type, description: card.description, detail: `heed:${card.name}` };
}
