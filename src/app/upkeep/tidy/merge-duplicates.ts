import { plainHandle } from "../../../memory/handle.ts";
import { HeedError } from "../../../errors/heed-error.ts";
import type { MemoryAmendment } from "../../../memory/codec/amend-memory.ts";
import { LIMITS } from "../../../memory/limits.ts";
import type { MemoryCard } from "../../../memory/memory-card.ts";
import { search } from "../../../recall/search.ts";
import type { Collection } from "../../place/collection.ts";
import type { StoredMemory } from "../../../store/files/scan-store.ts";
import { openedStore } from "../../place/opened-stores.ts";
import { unapprovedRules } from "../../trust/rule-approvals.ts";
import { MemoryWriter } from "../../writing/memory-writer.ts";
import { mayTouch } from "./tidy-step.ts";
import type { PlannedStep } from "./tidy-step.ts";
import { TIDY_ACTOR } from "./tidy-step.ts";
import type { Place } from "../../place/place.ts";

/** So many memories are compared in one run, the newest first; each with the few that search finds for it. */
const MAX_COMPARED = 500;
const MAX_HITS = 5;

interface Read {
  card: MemoryCard;
  body: string;
}

/** Merges exact twins into the older one. What is only alike stays: whether it says the same is not to be told by its words. */
export async function planDuplicates(place: Place, collection: Collection): Promise<PlannedStep[]> {
  const unreviewed = new Set(unapprovedRules(place, collection).map(({ card }) => card.id));
  const age = (card: MemoryCard): string => card.created ?? "";
  const cards = collection
    .cards()
    // What others brought and nobody has reviewed must not take the place of what is in force.
    .filter((card) => isComparable(card, collection) && !unreviewed.has(card.id))
    .sort((a, b) => (age(a) < age(b) ? 1 : age(a) > age(b) ? -1 : a.id < b.id ? 1 : -1))
    .slice(0, MAX_COMPARED);
  const gone = new Set<string>();
  const steps: PlannedStep[] = [];
  for (const card of cards) {
    const newer = await collection.read(card);
    if (!newer || gone.has(card.id)) continue;
    for (const olderCard of similarTo(newer, collection)) {
      if (gone.has(olderCard.id) || unreviewed.has(olderCard.id) || !isOlder(olderCard, card)) continue;
      const older = await collection.read(olderCard);
      if (!older) continue;
      const step = stepFor(place, collection, newer, older);
      if (!step) continue;
      steps.push(step);
      gone.add(card.id);
      break;
    }
  }
  return steps;
}

function isComparable(card: MemoryCard, collection: Collection): boolean {
  return mayTouch(card, collection) && card.type !== "episode" && card.status !== "superseded";
}

function isOlder(one: MemoryCard, other: MemoryCard): boolean {
  const [a, b] = [one.created ?? "", other.created ?? ""];
  return a < b || (a === b && one.id < other.id);
}

function similarTo(memory: Read, collection: Collection): MemoryCard[] {
  const { card, body } = memory;
  return search(collection.readers, {
    text: `${card.description}\n${body.slice(0, 400)}`,
    syntax: "prompt",
    limit: MAX_HITS + 1,
    storeIds: [card.storeId],
  })
    .hits.map((hit) => hit.card)
    .filter((other) => other.id !== card.id && isComparable(other, collection));
}

function stepFor(place: Place, collection: Collection, newer: Read, older: Read): PlannedStep | undefined {
  if (twinEdit(newer, older) === undefined) return undefined;
  return {
    action: "merge-duplicate",
    name: newer.card.name,
    other: older.card.name,
    reason: `says word for word what heed:${older.card.name} says`,
    apply: async () => {
      // As they are by now: an earlier step may have given one of them what a third was found by.
      const [twin, into] = [newer, older].map(({ card }) => asItIs(place, collection, card));
      const edit = twin && into ? twinEdit(twin, into) : undefined;
      if (!twin || !into || edit === undefined) throw overtaken(newer.card, older.card);
      const { change } = await new MemoryWriter(place, TIDY_ACTOR).merge(twin, into, edit, {
        kind: "upkeep",
        why: `exact duplicate of ${older.card.name}, found by its name from now on`,
      });
      return change ? [change.id] : [];
    },
  };
}

/** A memory as its file has it now; undefined when another lies there. */
function asItIs(place: Place, collection: Collection, card: MemoryCard): StoredMemory | undefined {
  const { memory } = openedStore(place, collection.storeOf(card)).read(card.file);
  return memory?.card.id === card.id ? memory : undefined;
}

function overtaken(newer: MemoryCard, older: MemoryCard): HeedError {
  return new HeedError("changed-outside", `${newer.name} or ${older.name} was changed meanwhile`, {
    file: newer.file,
  });
}

/** What a memory takes over from one that says the same; undefined when they are no twins, or it does not fit. */
function twinEdit(newer: Read, older: Read): ReturnType<typeof withTwin> {
  return isSameText(newer, older) ? withTwin(older.card, newer.card) : undefined;
}

/**
 * What a memory is found by once it has taken in its twin: by all that the twin was found by. Undefined where that does not
 * fit, and where the twin holds elsewhere or longer, guards or links what the other does not: then both stay.
 */
function withTwin(
  older: MemoryCard,
  newer: MemoryCard,
): Pick<MemoryAmendment, "tags" | "trigger" | "aliases"> | undefined {
  const held = ({ scope, guard, claims, expires }: MemoryCard): string =>
    JSON.stringify([scope, guard, claims, expires]);
  const links = newer.links.filter(({ to }) => ![older.id, older.name].includes(plainHandle(to)));
  if (held(older) !== held(newer) || links.length > 0) return undefined;
  const both = (a: readonly string[], b: readonly string[]): string[] => [...new Set([...a, ...b])];
  const taken = {
    tags: both(older.tags, newer.tags),
    trigger: both(older.trigger, newer.trigger),
    aliases: both(older.aliases, [newer.name, ...newer.aliases]),
  };
  return Object.values(taken).every((list) => list.length <= LIMITS.listItems) ? taken : undefined;
}

function isSameText(a: Read, b: Read): boolean {
  const fold = (text: string): string => text.replace(/\s+/g, " ").trim();
  return (
    a.card.type === b.card.type &&
    fold(a.body) === fold(b.body) &&
    fold(a.card.description) === fold(b.card.description)
  );
}
