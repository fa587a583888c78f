import { amendSentence } from "../../capture/amend-sentence.ts";
import { oneLine } from "../../capture/text/one-line.ts";
import { handleOf, handlesIn } from "../../memory/handle.ts";
import type { ProposalReport } from "../api/learning-reports.ts";
import { openCollection } from "../place/collection.ts";
import type { FoundMemory } from "../place/find-memory.ts";
import type { Place } from "../place/place.ts";
import type { ProposeOptions } from "./enter-proposal.ts";
import { proposeRemoval } from "../writing/propose-removal.ts";
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
  return proposeForgotten(place, memory, wish, options);
}

/** Asks the user whether a memory is to be removed: it waits in the inbox. */
export function proposeForgotten(
  place: Place,
  memory: FoundMemory,
  { quote, time }: { quote: string; time: string },
  options: ProposeOptions,
): ProposalReport {
  const { card } = memory;
  const told = {
    type: card.type,
    description: card.description,
    about: `forget ${handleOf(card)}`,
    quote,
    time,
  };
  if (options.isRehearsal) return { ...told, outcome: "proposed", detail: card.name };
  const name = proposeRemoval(place, memory, {
    reason: `you asked to forget it: "${oneLine(quote, 100)}"`,
    by: { kind: "hook", client: options.client, session: options.session },
  });
  return { ...told, outcome: "proposed", detail: name };
}
