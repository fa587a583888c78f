import { Inbox } from "../../curate/inbox.ts";
import { holdsSubstance } from "../../curate/users-words.ts";
import { oneLine } from "../../capture/text/one-line.ts";
import type { Actor } from "../../memory/actor.ts";
import { handleOf } from "../../memory/handle.ts";
import type { ProposalReport } from "../api/learning-reports.ts";
import type { Place } from "../place/place.ts";
import { MemoryWriter } from "../writing/memory-writer.ts";
import type { ProposeOptions } from "./enter-proposal.ts";
import { proposeForgotten } from "./propose-forgetting.ts";
import type { KeptInSession } from "./kept-in-session.ts";
import { isSettledSince, keptBefore } from "./kept-in-session.ts";

/** "Forget that" means what came in the last minutes, not what was kept in the morning. */
const RECENT_MS = 30 * 60_000;
/** A name means a memory of this session that says so much of it. */
const NAMED_SHARE = 0.5;

/** Words that take back what this session kept; `about` names it, without it the last is meant. */
export interface TakingBack {
  quote: string;
  /** ISO time of the turn. */
  time: string;
  about?: string;
  /** The words leave no doubt that a memory is meant. */
  isOfMemory: boolean;
}

/**
 * "Forget that": what was kept or proposed last in this session is taken back, where the model has not done so; it can be
 * brought back. Only where that reading is plain: it is named, or came in the turn before, or heed announced it in between.
 * Else the user is asked, or nothing comes of it where the words may be about the work.
 */
export async function takeBack(
  place: Place,
  wish: TakingBack,
  options: ProposeOptions,
): Promise<ProposalReport | undefined> {
  const { quote, time, about, isOfMemory } = wish;
  const { session, client } = options;
  const kept = await keptBefore(place, session, time);
  const meant = kept.find(
    ({ name, description }) =>
      about === undefined || holdsSubstance(`${name} ${description}`, about, NAMED_SHARE),
  );
  if (meant === undefined || (await isSettledSince(place, session, time))) return undefined;
  const isRecent = Date.parse(meant.saidAt) >= Date.parse(time) - RECENT_MS;
  const isPlain = about !== undefined || (isRecent && meant.turnsAgo <= (meant.isByHeed ? 2 : 1));
  if (isPlain) {
    const { type, description } = meant;
    const actor: Actor = { kind: "hook", client, session };
    const detail = await drop(place, meant, { reason: `the user said: "${oneLine(quote, 120)}"`, actor });
    return { type, description, quote, time, outcome: "saved", about: "forgotten", detail };
  }
  if (!isOfMemory || !isRecent || !meant.memory) return undefined;
  return proposeForgotten(place, meant.memory, { quote, time }, options);
}

/** Takes it out of its store or the inbox; returns how it is called there. */
async function drop(
  place: Place,
  { name, memory }: KeptInSession,
  { reason, actor }: { reason: string; actor: Actor },
): Promise<string> {
  if (!memory) {
    new Inbox(place.places, place.types).reject(name, { reason, actor, at: place.now() });
    return name;
  }
  // What waited to change it, or to be asked about it, waits for nothing.
  const inbox = new Inbox(place.places, place.types);
  for (const item of inbox.list())
    if (item.proposal.target?.id === memory.card.id)
      inbox.reject(item.memory.name, { reason, actor, at: place.now() });
  await new MemoryWriter(place, actor).remove(memory.card, { kind: "remove", why: reason });
  return handleOf(memory.card);
}
