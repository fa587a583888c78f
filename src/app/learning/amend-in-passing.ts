import {
  amendSentence,
  appendCorrection,
  correctedStatement,
  isCorrection,
} from "../../capture/amend-sentence.ts";
import { confirmSentence, isConfirmation } from "../../capture/confirm-sentence.ts";
import { oneLine } from "../../capture/text/one-line.ts";
import type { UserTurn } from "../../capture/digest/session-digest.ts";
import { sentencesOf } from "../../capture/text/sentences.ts";
import type { InboxItem } from "../../curate/inbox.ts";
import { Inbox } from "../../curate/inbox.ts";
import { handlesIn } from "../../memory/handle.ts";
import type { MemoryDraft } from "../../memory/memory-draft.ts";
import { memoryKey } from "../../memory/memory-key.ts";
import type { ProposalReport } from "../api/learning-reports.ts";
import { openCollection } from "../place/collection.ts";
import { appendUse } from "../records/use-log.ts";
import type { Place } from "../place/place.ts";
import { draftOf } from "../../memory/memory-draft.ts";
import type { FoundMemory } from "../place/find-memory.ts";
import type { ProposeOptions } from "./enter-proposal.ts";
import { enterProposal } from "./enter-proposal.ts";
import { meantMemories } from "./meant-memories.ts";

/** A turn that cites a memory and says that it holds no longer. */
export async function correctInPassing(
  place: Place,
  turn: UserTurn,
  options: ProposeOptions,
): Promise<ProposalReport | undefined> {
  const handles = handlesIn(turn.said);
  const sentences = sentencesOf(turn.prose).filter(isCorrection);
  if (handles.length === 0 || sentences.length === 0) return undefined;
  const collection = await openCollection(place, { thoroughness: "full" });
  for (const sentence of sentences) {
    const plain = correctedStatement(sentence);
    for (const { memory, minShare } of await meantMemories(
      place,
      collection,
      plain,
      handles,
      options.session,
    )) {
      if (!isAmendable(memory)) continue;
      const day = (turn.time === "" ? place.now().toISOString() : turn.time).slice(0, 10);
      // A second correction goes on from what the first one proposed.
      const waiting = waitingChange(place, memory);
      const { description, body } = waiting?.memory ?? { ...memory.card, body: memory.body };
      const isCited = handles.includes(memory.card.name);
      const amended =
        amendSentence({ description, body }, plain, day, minShare) ??
        (isCited ? { description, body: appendCorrection(body, plain, day) } : undefined);
      if (!amended || amended.body === body) continue;
      const draft: MemoryDraft = {
        ...draftOf({ ...memory.card, body: memory.body }),
        description: amended.description,
        body: amended.body,
        relation: { kind: "replaces", to: memory.card.name },
      };
      const said = `you corrected heed:${memory.card.name}: "${oneLine(plain, 100)}"`;
      const waitsFor = waiting ? `${waiting.proposal.reason}; ${said}`.slice(-400) : said;
      noteUse(place, memory, "corrected", sentence, options);
      return enterProposal(place, draft, {
        time: turn.time,
        quote: sentence,
        waitsFor,
        isConfirmed: false,
        options,
        current: memory,
        about: `corrects heed:${memory.card.name}`,
      });
    }
  }
  return undefined;
}

/**
 * A turn in which the user says that a memory is right: the one that the turn cites, or the only one that the agent
 * cited before. The memory is noted as confirmed that day, and a provisional one is provisional no more.
 */
export async function confirmInPassing(
  place: Place,
  turn: UserTurn,
  options: ProposeOptions,
): Promise<ProposalReport | undefined> {
  const sentence = sentencesOf(turn.prose).find(isConfirmation);
  if (sentence === undefined) return undefined;
  const own = handlesIn(turn.said);
  const handles = own.length > 0 ? own : handlesIn(turn.before);
  if (handles.length !== 1) return undefined;
  const collection = await openCollection(place, { thoroughness: "full" });
  const [meant] = await meantMemories(place, collection, sentence, handles, options.session);
  const memory = meant?.memory;
  if (!memory || !isAmendable(memory) || waitingChange(place, memory)) return undefined;
  const day = (turn.time === "" ? place.now().toISOString() : turn.time).slice(0, 10);
  const { status, name } = memory.card;
  noteUse(place, memory, "applied", sentence, options);
  const body = confirmSentence(memory.body, sentence, day);
  if (body === undefined && status !== "provisional") return undefined;
  const draft: MemoryDraft = {
    ...draftOf({ ...memory.card, body: memory.body }),
    body: body ?? memory.body,
    ...(status === "provisional" && { status: "confirmed" as const }),
    relation: { kind: "replaces", to: name },
  };
  return enterProposal(place, draft, {
    time: turn.time,
    quote: sentence,
    waitsFor: `you confirmed heed:${name}: "${oneLine(sentence, 100)}"`,
    isConfirmed: false,
    options,
    current: memory,
    about: `confirms heed:${name}`,
  });
}

/** The change of a memory that waits in the inbox already: another one would take its place. */
function waitingChange(place: Place, { card }: FoundMemory): InboxItem | undefined {
  return new Inbox(place.places, place.types).list().find(({ proposal }) => proposal.target?.id === card.id);
}

function isAmendable({ store, card }: FoundMemory): boolean {
  return !store.isReadOnly && card.section === undefined && card.type !== "episode";
}

/** What the user says of a memory counts in its use: upkeep moves its confidence by it. */
function noteUse(
  place: Place,
  { card }: FoundMemory,
  what: "applied" | "corrected",
  note: string,
  { session, isRehearsal }: ProposeOptions,
): void {
  if (isRehearsal) return;
  const key = memoryKey(card);
  const time = place.now().toISOString();
  appendUse(place.places, [{ time, session, key, name: card.name, what, note: oneLine(note, 200) }]);
}
