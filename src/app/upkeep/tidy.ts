import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { TidyReport, TidyStep } from "../api/upkeep-reports.ts";
import { refreshConversations } from "../conversations/conversation-index.ts";
import { type Collection, openCollection } from "../place/collection.ts";
import { openedStore } from "../place/opened-stores.ts";
import type { Place } from "../place/place.ts";
import { readConversation, writeConversation } from "../records/past-conversations.ts";
import { capturePlaces } from "../records/session-state.ts";
import { unapprovedRules } from "../trust/rule-approvals.ts";
import { MemoryWriter } from "../writing/memory-writer.ts";
import { HeedError } from "../../errors/heed-error.ts";
import type { Actor } from "../../memory/actor.ts";
import type { MemoryAmendment } from "../../memory/codec/amend-memory.ts";
import { plainHandle } from "../../memory/handle.ts";
import { LIMITS } from "../../memory/limits.ts";
import type { MemoryCard } from "../../memory/memory-card.ts";
import { withLock } from "../../platform/file-lock.ts";
import { search } from "../../recall/search.ts";
import { wordsOf } from "../../recall/words-of.ts";
import type { StoredMemory } from "../../store/files/scan-store.ts";
import { redactSecrets } from "../../screening/find-secrets.ts";

/** One run does so many steps at most; the rest is for the next one. */
const MAX_STEPS = 100;

/**
 * Upkeep: duplicates and expired episodes. Without `isApplied` nothing is changed and the report says
 * what would be. Never resolves a negation or a number by itself, and never deletes a semantic memory but an exact duplicate.
 */
export async function tidy(
  place: Place,
  { isApplied = false }: { isApplied?: boolean } = {},
): Promise<TidyReport> {
  if (!isApplied) return reportOf(await planOf(place), false);
  const { root } = capturePlaces(place.places);
  mkdirSync(root, { recursive: true, mode: 0o700 });
  return withLock(join(root, "tidy-lock"), { what: "tidy" }, async (held) => {
    await finishBegun(place);
    const steps = await planOf(place);
    const report = reportOf(steps, true);
    for (const step of steps.slice(0, MAX_STEPS)) {
      held.assertHeld();
      try {
        report.changes.push(...(await step.apply()));
      } catch (error) {
        if (!isOvertaken(error)) throw error;
        report.problems.push(`${step.action} ${step.name}: ${error.message}; left to the next run`);
      }
    }
    return report;
  });
}

/**
 * What a run that was killed had begun is done before anything is planned by what is there; and what was edited by hand
 * goes into the history before the steps, so that one undo after the other walks back through these alone.
 */
async function finishBegun(place: Place): Promise<void> {
  const writer = new MemoryWriter(place, TIDY_ACTOR);
  for (const ref of place.stores) {
    if (ref.isReadOnly || !ref.isTrusted) continue;
    await writer.recover(ref);
    await openedStore(place, ref).reconcile();
  }
}

/** Somebody changed or removed the memory since the run was planned. */
function isOvertaken(error: unknown): error is HeedError {
  return error instanceof HeedError && (error.code === "changed-outside" || error.code === "not-found");
}

async function planOf(place: Place): Promise<PlannedStep[]> {
  const collection: Collection = await openCollection(place, { thoroughness: "full" });
  return [...(await planDuplicates(place, collection)), ...(await planEpisodes(place, collection))];
}

function reportOf(steps: readonly PlannedStep[], isApplied: boolean): TidyReport {
  return {
    steps: steps.slice(0, MAX_STEPS).map(({ apply: _apply, ...step }) => step),
    isApplied,
    changes: [],
    problems: [],
    isCut: steps.length > MAX_STEPS,
  };
}

/** Upkeep acts for nobody: its changes are its own, and say so in the history. */
const TIDY_ACTOR: Actor = { kind: "hook", client: "heed-tidy" };

/** A step of upkeep and how it is done. Doing it twice, or after a crash in the middle, comes to the same. */
interface PlannedStep extends TidyStep {
  /** Resolves to the ids of the changes that were made. */
  apply: () => Promise<string[]>;
}

/** Whether upkeep may change a memory at all: it has a file to itself, in a store that is trusted and heed's to write. */
export function mayTouch(card: MemoryCard, collection: Collection): boolean {
  const { isReadOnly, isTrusted } = collection.storeOf(card);
  return !isReadOnly && isTrusted && card.section === undefined;
}

/** So many memories are compared in one run, the newest first; each with the few that search finds for it. */
const MAX_COMPARED = 500;
const MAX_HITS = 5;

interface Read {
  card: MemoryCard;
  body: string;
}

/** Merges exact duplicates into the older one. What is only alike stays: whether it says the same is not to be told by its words. */
async function planDuplicates(place: Place, collection: Collection): Promise<PlannedStep[]> {
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
  if (duplicateEdit(newer, older) === undefined) return undefined;
  return {
    action: "merge-duplicate",
    name: newer.card.name,
    other: older.card.name,
    reason: `says word for word what heed:${older.card.name} says`,
    apply: async () => {
      // As they are by now: an earlier step may have given one of them what a third was found by.
      const [duplicate, into] = [newer, older].map(({ card }) => asItIs(place, collection, card));
      const edit = duplicate && into ? duplicateEdit(duplicate, into) : undefined;
      if (!duplicate || !into || edit === undefined) throw overtaken(newer.card, older.card);
      const { change } = await new MemoryWriter(place, TIDY_ACTOR).merge(duplicate, into, edit, {
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

/** What a memory takes over from one that says the same; undefined when they are no duplicates, or it does not fit. */
function duplicateEdit(newer: Read, older: Read): ReturnType<typeof withDuplicate> {
  return isSameText(newer, older) ? withDuplicate(older.card, newer.card) : undefined;
}

/**
 * What a memory is found by once it has taken in its duplicate: by all that the duplicate was found by. Undefined where that does not
 * fit, and where the duplicate holds elsewhere or longer, guards or links what the other does not: then both stay.
 */
function withDuplicate(
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

const MAX_EPISODES = 30;
/** A record with more statements than this stays where it is without a history to go to. */
const MAX_STATEMENTS = 200;

/**
 * Expired episodes leave the memories, and nothing that they say is lost by it: the record goes whole into the history of
 * conversations, where a search finds it beside the words of its session. Where the user wants no history, an episode
 * leaves only when other memories say all that it says.
 */
async function planEpisodes(place: Place, collection: Collection): Promise<PlannedStep[]> {
  const today = place.now().toISOString();
  const expired = collection
    .cards(["episode"])
    .filter((card) => card.decayAfter !== undefined && card.decayAfter < today && mayTouch(card, collection))
    .sort((a, b) => ((a.decayAfter ?? "") < (b.decayAfter ?? "") ? -1 : 1))
    .slice(0, MAX_EPISODES);
  const hasHistory = place.found.history !== "off";
  const steps: PlannedStep[] = [];
  for (const card of expired) {
    const read = await collection.read(card);
    if (!read) continue;
    const text = `${card.description}\n${read.body}`;
    if (!hasHistory && !(await isKnownElsewhere(collection, card, text))) continue;
    const where = hasHistory ? "its record goes to the history" : "other memories say all that it says";
    const reason = `expired on ${(card.decayAfter ?? "").slice(0, 10)}; ${where}`;
    steps.push({
      action: "drop-episode",
      name: card.name,
      reason,
      apply: async () => {
        if (hasHistory) keepRecord(place, card, text);
        const removed = await new MemoryWriter(place, TIDY_ACTOR).remove(card, {
          kind: "remove",
          why: reason,
        });
        return removed.change ? [removed.change.id] : [];
      },
    });
  }
  return steps;
}

/** Whether each line of a record stands, with all its words, in one other memory that stays. */
async function isKnownElsewhere(collection: Collection, episode: MemoryCard, text: string): Promise<boolean> {
  const statements = text.split("\n");
  if (statements.length > MAX_STATEMENTS) return false;
  const types = collection.types.all().filter(({ injection }) => injection !== "resume");
  for (const statement of statements) {
    const wanted = [...wordsOf(statement)];
    if (wanted.length === 0) continue;
    const { hits } = search(collection.readers, {
      text: statement,
      syntax: "prompt",
      limit: 5,
      types: types.map(({ name }) => name),
      storeIds: [episode.storeId],
    });
    let isKnown = false;
    for (const { card } of hits) {
      const read = isKnown ? undefined : await collection.read(card);
      const known = wordsOf(`${card.description}\n${read?.body ?? ""}`);
      isKnown ||= wanted.every((word) => known.has(word));
    }
    if (!isKnown) return false;
  }
  return true;
}

/**
 * Keeps the record of a session beside what was said in it, so that it stays findable when it is no memory any more. Doing
 * it twice comes to the same.
 */
function keepRecord(place: Place, card: MemoryCard, text: string): void {
  const session = card.origin.session ?? `record-${card.id}`;
  const past = readConversation(place.places, session);
  const { conversation } = past;
  const time = card.updated ?? card.created ?? "";
  const record = redactSecrets(text).trim();
  if (conversation.passages.some((passage) => passage.kind === "record" && passage.text === record)) return;
  conversation.passages.push({ kind: "record", time, text: record });
  conversation.started ||= card.created ?? time;
  conversation.ended ||= time;
  conversation.branch ||= card.scope.branch ?? "";
  past.repo ||= card.scope.repo ?? card.origin.repo ?? "";
  past.client ||= card.origin.client ?? "";
  const at = new Date(conversation.ended);
  writeConversation(place.places, past, Number.isNaN(at.getTime()) ? place.now() : at);
  refreshConversations(place);
}
