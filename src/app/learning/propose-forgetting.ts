import { amendSentence } from "../../capture/amend-sentence.ts";
import { oneLine } from "../../capture/text/one-line.ts";
import { Inbox } from "../../curate/inbox.ts";
import { HeedError } from "../../errors/heed-error.ts";
import { handlesIn } from "../../memory/handle.ts";
import type { ProposalReport } from "../api/learning-reports.ts";
import { openCollection } from "../place/collection.ts";
import type { Place } from "../place/place.ts";
import type { ProposeOptions } from "./enter-proposal.ts";
import { meantMemories } from "./meant-memories.ts";

/** "Forget that …": the memory that is meant waits in the inbox to be removed. */
export async function proposeForgetting(
  place: Place,
  wish: { about: string; quote: string; time: string },
  options: ProposeOptions,
): Promise<ProposalReport | undefined> {
  const collection = await openCollection(place, { thoroughness: "full" });
  const handles = handlesIn(wish.about);
  const meant = await meantMemories(place, collection, wish.about, handles, options.session);
  const memory = meant.find(
    ({ memory, minShare }) =>
      handles.includes(memory.card.name) ||
      amendSentence({ ...memory.card, body: memory.body }, wish.about, "", minShare) !== undefined,
  )?.memory;
  if (!memory || memory.store.isReadOnly) return undefined;
  const told = {
    type: memory.card.type,
    description: `forget heed:${memory.card.name}: ${memory.card.description}`,
    quote: wish.quote,
    time: wish.time,
  };
  if (options.isRehearsal) return { ...told, outcome: "proposed", detail: memory.card.name };
  const inbox = new Inbox(place.places, place.types);
  const { contentHash, id, name: targetName } = memory.card;
  const {
    storeId: _store,
    file: _file,
    mtimeMs: _time,
    sizeBytes: _size,
    contentHash: _hash,
    bodyLength: _length,
    ...header
  } = memory.card;
  const name = inbox.put(
    { ...header, name: `forget-${targetName}`.slice(0, 80), body: memory.body },
    {
      at: place.now().toISOString(),
      reason: `you asked to forget it: "${oneLine(wish.quote, 100)}"`,
      by: { kind: "hook", client: options.client, session: options.session },
      store: memory.store.id,
      target: { id, name: targetName, hash: contentHash },
      flags: ["isRemoval"],
    },
  );
  if (!name)
    throw new HeedError("io-failed", "the inbox took no item", { file: "inbox", operation: "write" });
  return { ...told, outcome: "proposed", detail: name };
}
