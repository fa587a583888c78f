import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { TidyReport, TidyStep } from "../here/api/maintenance-reports.ts";
import { refreshConversations } from "../past/conversations/conversation-index.ts";
import { type Collection, mayTouch, openCollection } from "../here/collection.ts";
import { openedStore } from "../here/opened-stores.ts";
import type { Place } from "../here/place.ts";
import { EVERYWHERE, readConversation, writeConversation } from "../here/records/past-conversations.ts";
import { capturePlaces } from "../here/records/session-state.ts";
import { unreviewedRules } from "../here/trust/rule-approvals.ts";
import { MemoryWriter } from "../write/memory-writer.ts";
import { HeedError } from "../machine/heed-error.ts";
import type { Actor, MemoryMetadata } from "../memory/memory.ts";
import type { MemoryAmendment } from "../memory/codec/amend-memory.ts";
import { handleOf, plainHandle } from "../memory/handle.ts";
import { LIMITS } from "../memory/limits.ts";
import { withLock } from "../machine/file-lock.ts";
import { search } from "../search/search.ts";
import type { StoredMemory } from "../store/files/scan-store.ts";
import { redactSecrets } from "../memory/screening/find-secrets.ts";

const MAX_STEPS = 100;

/**
 * Maintenance: duplicates and expired episodes. Without `isApplied` nothing is changed and the report says
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

/** Maintenance acts for nobody: its changes are its own, and say so in the history. */
const TIDY_ACTOR: Actor = { kind: "hook", client: "heed-tidy" };

/** A step of maintenance and how it is done. Doing it twice, or after a crash in the middle, comes to the same. */
interface PlannedStep extends TidyStep {
  /** Resolves to the ids of the changes that were made. */
  apply: () => Promise<string[]>;
}

const MAX_COMPARED = 500;
const MAX_HITS = 5;

interface Read {
  metadata: MemoryMetadata;
  body: string;
}

/** Merges exact duplicates into the older one. What is only alike stays: whether it says the same is not to be told by its words. */
async function planDuplicates(place: Place, collection: Collection): Promise<PlannedStep[]> {
  const unreviewed = new Set(unreviewedRules(place, collection).unapproved.map(({ id }) => id));
  const age = (metadata: MemoryMetadata): string => metadata.created ?? "";
  const memories = collection
    .memories()
    // What others brought and nobody has reviewed must not take the place of what is in force.
    .filter((metadata) => isComparable(metadata, collection) && !unreviewed.has(metadata.id))
    .sort((a, b) => (age(a) < age(b) ? 1 : age(a) > age(b) ? -1 : a.id < b.id ? 1 : -1))
    .slice(0, MAX_COMPARED);
  const gone = new Set<string>();
  const steps: PlannedStep[] = [];
  for (const metadata of memories) {
    const newer = await collection.read(metadata);
    if (!newer || gone.has(metadata.id)) continue;
    for (const olderMetadata of similarTo(newer, collection)) {
      if (gone.has(olderMetadata.id) || unreviewed.has(olderMetadata.id) || !isOlder(olderMetadata, metadata))
        continue;
      const older = await collection.read(olderMetadata);
      if (!older) continue;
      const step = stepFor(place, collection, newer, older);
      if (!step) continue;
      steps.push(step);
      gone.add(metadata.id);
      break;
    }
  }
  return steps;
}

function isComparable(metadata: MemoryMetadata, collection: Collection): boolean {
  return mayTouch(metadata, collection) && metadata.type !== "episode" && metadata.status !== "superseded";
}

function isOlder(one: MemoryMetadata, other: MemoryMetadata): boolean {
  const [a, b] = [one.created ?? "", other.created ?? ""];
  return a < b || (a === b && one.id < other.id);
}

function similarTo(memory: Read, collection: Collection): MemoryMetadata[] {
  const { metadata, body } = memory;
  return search(collection.readers, {
    text: `${metadata.description}\n${body.slice(0, 400)}`,
    syntax: "prompt",
    limit: MAX_HITS + 1,
    admits: ({ storeId }) => storeId === metadata.storeId,
  })
    .hits.map((hit) => hit.metadata)
    .filter((other) => other.id !== metadata.id && isComparable(other, collection));
}

function stepFor(place: Place, collection: Collection, newer: Read, older: Read): PlannedStep | undefined {
  if (duplicateEdit(newer, older) === undefined) return undefined;
  return {
    action: "merge-duplicate",
    name: newer.metadata.name,
    other: older.metadata.name,
    reason: `says word for word what ${handleOf(older.metadata)} says`,
    apply: async () => {
      // As they are by now: an earlier step may have given one of them what a third was found by.
      const [duplicate, into] = [newer, older].map(({ metadata }) => asItIs(place, collection, metadata));
      const edit = duplicate && into ? duplicateEdit(duplicate, into) : undefined;
      if (!duplicate || !into || edit === undefined) throw overtaken(newer.metadata, older.metadata);
      const { change } = await new MemoryWriter(place, TIDY_ACTOR).merge(duplicate, into, edit, {
        kind: "maintenance",
        why: `exact duplicate of ${older.metadata.name}, found by its name from now on`,
      });
      return change ? [change.id] : [];
    },
  };
}

function asItIs(place: Place, collection: Collection, metadata: MemoryMetadata): StoredMemory | undefined {
  const { memory } = openedStore(place, collection.storeOf(metadata)).read(metadata.file);
  return memory?.metadata.id === metadata.id ? memory : undefined;
}

function overtaken(newer: MemoryMetadata, older: MemoryMetadata): HeedError {
  return new HeedError("changed-outside", `${newer.name} or ${older.name} was changed meanwhile`, {
    file: newer.file,
  });
}

function duplicateEdit(newer: Read, older: Read): ReturnType<typeof withDuplicate> {
  return isSameText(newer, older) ? withDuplicate(older.metadata, newer.metadata) : undefined;
}

/**
 * What a memory is found by once it has taken in its duplicate: by all that the duplicate was found by. Undefined where that does not
 * fit, and where the duplicate holds elsewhere or longer, guards or links what the other does not: then both stay.
 */
function withDuplicate(
  older: MemoryMetadata,
  newer: MemoryMetadata,
): Pick<MemoryAmendment, "tags" | "trigger" | "aliases"> | undefined {
  const held = ({ scope, guard, claims, expires }: MemoryMetadata): string =>
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
    a.metadata.type === b.metadata.type &&
    fold(a.body) === fold(b.body) &&
    fold(a.metadata.description) === fold(b.metadata.description)
  );
}

const MAX_EPISODES = 30;

/** The record goes whole into the history of conversations. Where the user wants no history, the episode stays. */
async function planEpisodes(place: Place, collection: Collection): Promise<PlannedStep[]> {
  if (place.found.history === "off") return [];
  const today = place.now().toISOString();
  const expired = collection
    .memories(["episode"])
    .filter(
      (metadata) =>
        metadata.decayAfter !== undefined && metadata.decayAfter < today && mayTouch(metadata, collection),
    )
    .sort((a, b) => ((a.decayAfter ?? "") < (b.decayAfter ?? "") ? -1 : 1))
    .slice(0, MAX_EPISODES);
  const steps: PlannedStep[] = [];
  for (const metadata of expired) {
    const read = await collection.read(metadata);
    if (!read) continue;
    const text = `${metadata.description}\n${read.body}`;
    const reason = `expired on ${(metadata.decayAfter ?? "").slice(0, 10)}; its record goes to the history`;
    steps.push({
      action: "drop-episode",
      name: metadata.name,
      reason,
      apply: async () => {
        keepRecord(place, metadata, text);
        const removed = await new MemoryWriter(place, TIDY_ACTOR).remove(metadata, {
          kind: "remove",
          why: reason,
        });
        return removed.change ? [removed.change.id] : [];
      },
    });
  }
  return steps;
}

/** Keeps the record of a session beside what was said in it, where it stays findable. Doing it twice comes to the same. */
function keepRecord(place: Place, metadata: MemoryMetadata, text: string): void {
  const { actor, session: own } = metadata.origin;
  // That of an import is no session in which it was said.
  const session = (actor === "import" ? undefined : own) ?? `record-${metadata.id}`;
  const past = readConversation(place.places, session);
  const { conversation } = past;
  const time = metadata.updated ?? metadata.created ?? "";
  const record = redactSecrets(text).trim();
  if (conversation.passages.some((passage) => passage.kind === "record" && passage.text === record)) return;
  conversation.passages.push({ kind: "record", time, text: record });
  conversation.started ||= metadata.created ?? time;
  conversation.ended ||= time;
  conversation.branch ||= metadata.scope.branch ?? "";
  past.repo ||= metadata.scope.repo ?? metadata.origin.repo ?? EVERYWHERE;
  past.client ||= metadata.origin.client ?? "";
  const at = new Date(conversation.ended);
  writeConversation(place.places, past, Number.isNaN(at.getTime()) ? place.now() : at);
  refreshConversations(place);
}
