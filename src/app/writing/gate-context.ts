import { localDay } from "../../memory/calendar-day.ts";
import type { GateContext } from "../../curate/gate.ts";
import { Inbox } from "../../curate/inbox.ts";
import { readInstructions } from "../../curate/read-instructions.ts";
import type { GatesAnswer } from "../../curate/run-gates.ts";
import { runGates } from "../../curate/run-gates.ts";
import { secretGate } from "../../curate/secret-gate.ts";
import type { AmendedMemory, RemovedSibling, Sibling } from "../../curate/sibling.ts";
import type { Actor } from "../../memory/actor.ts";
import type { MemoryCard } from "../../memory/memory-card.ts";
import type { TypeTable } from "../../memory/memory-type.ts";
import { takesForce } from "../../memory/takes-force.ts";
import type { MemoryDraft } from "../../memory/memory-draft.ts";
import { draftOf } from "../../memory/memory-draft.ts";
import { search } from "../../recall/search.ts";
import { findProjectRoot } from "../../store/find-stores.ts";
import type { StoredMemory } from "../../store/files/scan-store.ts";
import type { StoreReader } from "../../store/store-reader.ts";
import type { Collection } from "../place/collection.ts";
import { heardTurns } from "../records/heard-turns.ts";
import type { Place } from "../place/place.ts";
import type { GatePass } from "./gate-pass.ts";
import { holdsBeside } from "./holds-beside.ts";
import { isTakenBack } from "./taken-back.ts";
import { passOf } from "./make-gate-pass.ts";

/** What the gates say, with the proof for the writer where they let the draft pass. */
export interface GatedDraft extends GatesAnswer {
  pass?: GatePass;
}

/** A draft on its way into a store. */
export interface DraftCase {
  draft: MemoryDraft;
  actor: Actor;
  store: StoreReader;
  /** The memory that the draft changes. */
  current: StoredMemory | undefined;
  collection: Collection;
  /** The live memories of the store. */
  cards: readonly MemoryCard[];
  /** The user has given their word on it. */
  isConfirmed: boolean;
  /** For a change by the whole text of its file. */
  text?: string;
  /** It comes out of an instruction file, which then says it, of course. */
  isFromInstructions?: boolean;
  /** What many drafts are checked by, read once; default: read for this one. */
  ground?: GateGround;
  /** Memories that resemble it and are not in the collection yet. */
  besides?: readonly Sibling[];
}

/** What of a store and its surroundings the gates check by, whatever the draft. */
export type GateGround = Pick<
  GateContext,
  "today" | "hearsUser" | "userTurns" | "removed" | "knownTags" | "instructions"
>;

/** So many memories that resemble a draft are compared in full. */
const MAX_COMPARED = 20;
const MAX_TAGGED = 5;
/** A description and the first paragraphs find what a whole text would. */
const MAX_QUERY_CHARS = 600;

/**
 * Asks all gates about a draft. A change of a memory is not blamed for what the memory was like before: what the
 * gates say of the unchanged one is left out. A secret is blamed all the same: a change would carry it on.
 */
export async function askGates(place: Place, subject: DraftCase): Promise<GatedDraft> {
  const context = await contextOf(place, subject);
  const answer = await runGates(subject.draft, context);
  const isWholeText = subject.text !== undefined;
  if (answer.refusals.length === 0) return { ...answer, pass: passOf(answer.draft, isWholeText) };
  if (!subject.current) return answer;
  const before = await runGates(draftOf({ ...subject.current.card, body: subject.current.body }), context);
  const old = new Set(before.refusals.map(({ gate, reason }) => `${gate}\n${reason}`));
  const refusals = answer.refusals.filter(
    ({ gate, reason }) => gate === secretGate.name || !old.has(`${gate}\n${reason}`),
  );
  return {
    ...answer,
    refusals,
    ...(refusals.length === 0 && { pass: passOf(answer.draft, isWholeText) }),
  };
}

/** Reads what the gates check by besides a draft: once for all that come in one go. */
export function gateGround(
  place: Place,
  { actor, store, cards }: Pick<DraftCase, "actor" | "store" | "cards">,
): GateGround {
  const root = findProjectRoot(place.cwd);
  const heard = heardTurns(place.places, actor);
  return {
    today: localDay(place.now()),
    hearsUser: heard.isHeard,
    userTurns: heard.turns.map((turn) => turn.text),
    removed: removedSiblings(place, store),
    knownTags: [...new Set(cards.flatMap((card) => card.tags))],
    instructions: root === undefined ? [] : readInstructions(root),
  };
}

async function contextOf(place: Place, subject: DraftCase): Promise<GateContext> {
  const { draft, actor, current, isConfirmed } = subject;
  const { types } = place;
  const ground = subject.ground ?? gateGround(place, subject);
  return {
    ...ground,
    actor,
    isConfirmed,
    types,
    policy: types.get(draft.type),
    current: current && amendedOf(current),
    ...(current &&
      takesForce(current.card, types) && {
        isTakenBack: (what) => isTakenBack(place, actor, current.card, subject.collection, what),
      }),
    ...(subject.text !== undefined && { text: subject.text }),
    siblings: [...(await likeliest(place, subject, types)), ...(subject.besides ?? [])],
    instructions: subject.isFromInstructions === true ? [] : ground.instructions,
  };
}

/** The memories worth a full comparison: those that search finds for the draft, and those that share its tags. */
async function likeliest(
  place: Place,
  { draft, store, current, collection, cards }: DraftCase,
  types: TypeTable,
): Promise<Sibling[]> {
  const found = search(collection.readers, {
    text: `${draft.description}\n${draft.body.slice(0, MAX_QUERY_CHARS)}`,
    syntax: "prompt",
    limit: MAX_COMPARED,
    storeIds: [store.ref.id],
  });
  const tagged = ((draft.tags?.length ?? 0) < 2 ? [] : cards)
    .map((card) => ({ card, shared: (draft.tags ?? []).filter((tag) => card.tags.includes(tag)).length }))
    .filter(({ shared }) => shared >= 2)
    .sort((a, b) => b.shared - a.shared)
    .slice(0, MAX_TAGGED);
  const likely = [...found.hits, ...tagged]
    .map(({ card }) => card)
    // A record of a session says again what was said in it: it is nobody's twin.
    .filter(({ id, type }) => id !== current?.card.id && types.get(type)?.layer !== "episodic")
    .filter(({ status }) => status !== "superseded")
    .filter((card) => holdsBeside(place, card, store.ref.kind, current?.card));
  const siblings = new Map<string, Sibling>();
  for (const card of likely) {
    if (siblings.has(card.id)) continue;
    const read = await collection.read(card);
    if (read) siblings.set(card.id, siblingOf(read));
  }
  return [...siblings.values()];
}

function siblingOf({ card, body }: StoredMemory): Sibling {
  const { id, name, description, type, tags } = card;
  return { id, name, description, type, tags, body };
}

function amendedOf(memory: StoredMemory): AmendedMemory {
  const { status, expires, scope } = memory.card;
  return { ...siblingOf(memory), status, scope, ...(expires !== undefined && { expires }) };
}

function removedSiblings(place: Place, store: StoreReader): RemovedSibling[] {
  const removed = store.listTombstones().map(({ memory, reason, removed: date }): RemovedSibling => {
    const { name, description } = memory.card;
    return { name, description, body: memory.body, reason, date };
  });
  const rejected = new Inbox(place.places, place.types)
    .listRejected()
    .map(({ memory, by, reason, date, target }): RemovedSibling => {
      const { name, description, body } = memory;
      const told = { name, description, body, reason, date, rejectedBy: by };
      return { ...told, ...(target !== undefined && { target }) };
    });
  return [...removed, ...rejected];
}
