import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { refreshConversations } from "../past/conversations/conversation-index.ts";
import { type Collection, mayTouch, openCollection } from "../here/collection.ts";
import { openedStore } from "../here/opened-stores.ts";
import type { Place } from "../here/place.ts";
import { EVERYWHERE, readConversation, writeConversation } from "../here/records/past-conversations.ts";
import { capturePlaces } from "../machine/places.ts";
import { unreviewedRules } from "../here/consent/rule-approvals.ts";
import { MemoryWriter } from "../write/memory-writer.ts";
import { HeedError } from "../machine/heed-error.ts";
import { type Actor, type MemoryMetadata, writtenAt } from "../memory/memory.ts";
import type { MemoryAmendment } from "../memory/codec/encode-memory.ts";
import { handleOf, plainHandle } from "../memory/handle.ts";
import { LIMITS } from "../memory/limits.ts";
import { withLock } from "../machine/file-lock.ts";
import type { StoredMemory } from "../store/files/scan-store.ts";
import type { StoreWrite } from "../store/history/change-record.ts";
import { redactSecrets } from "../memory/screening/find-secrets.ts";

/** One step of maintenance. */
export interface TidyStep {
  action: "merge-duplicate" | "drop-episode";
  /** What is changed: a memory's name. */
  name: string;
  /** The other memory, where there is one. */
  other?: string;
  /** Why, in words. */
  reason: string;
}

/** What maintenance would do, or did. */
export interface TidyReport {
  steps: TidyStep[];
  isApplied: boolean;
  /** Steps that could not be done since somebody changed the memory meanwhile, one line each. */
  problems: string[];
  /** Ids of the changes that were made; each can be undone. */
  changes: string[];
}

/** A step and how it is done. Doing it twice, or after a crash in the middle, comes to the same. */
interface PlannedStep {
  step: TidyStep;
  apply: () => Promise<StoreWrite>;
}

/** Maintenance acts for nobody: its changes are its own, and say so in the history. */
const TIDY_ACTOR: Actor = { kind: "hook", client: "heed-tidy" };

/** Merges exact duplicates and retires expired episodes; a dry run unless `isApplied`. */
export async function tidy(place: Place, request: { isApplied?: boolean } = {}): Promise<TidyReport> {
  const { isApplied = false } = request;
  const reportOf = (steps: readonly PlannedStep[]): TidyReport => {
    return { steps: steps.map(({ step }) => step), isApplied, problems: [], changes: [] };
  };
  if (!isApplied) return reportOf(await planOf(place));
  const { root } = capturePlaces(place.places);
  mkdirSync(root, { recursive: true, mode: 0o700 });
  return withLock(join(root, "tidy-lock"), { what: "tidy" }, async (held) => {
    await finishBegun(place);
    const steps = await planOf(place);
    const report = reportOf(steps);
    for (const { step, apply } of steps) {
      held.assertHeld();
      try {
        const { change } = await apply();
        if (change) report.changes.push(change.id);
      } catch (error) {
        const isOvertaken =
          error instanceof HeedError && ["changed-outside", "not-found"].includes(error.code);
        if (!isOvertaken) throw error;
        report.problems.push(`${step.action} ${step.name}: ${error.message}; left to the next run`);
      }
    }
    refreshConversations(place);
    return report;
  });
}

/** Finishes a killed run and records hand edits first, so that undo walks back through the steps alone. */
async function finishBegun(place: Place): Promise<void> {
  const writer = new MemoryWriter(place, TIDY_ACTOR);
  for (const ref of place.stores) {
    if (ref.isReadOnly || !ref.isTrusted) continue;
    await writer.recover(ref);
    await openedStore(place, ref).reconcile();
  }
}

async function planOf(place: Place): Promise<PlannedStep[]> {
  const collection: Collection = await openCollection(place, { thoroughness: "full" });
  return [...(await planDuplicates(place, collection)), ...(await planEpisodes(place, collection))];
}

/** Merges exact duplicates into the oldest one. What is only alike stays: whether it says the same is not to be told by its words. */
async function planDuplicates(place: Place, collection: Collection): Promise<PlannedStep[]> {
  const unreviewed = new Set((await unreviewedRules(place, collection)).unapproved.map(({ id }) => id));
  // What others brought and nobody has reviewed must not take the place of what is in force.
  const memories = collection.memories().filter((metadata) => {
    const isOver = metadata.type === "episode" || metadata.status === "superseded";
    return !isOver && mayTouch(metadata, collection) && !unreviewed.has(metadata.id);
  });
  const groups = new Map<string, MemoryMetadata[]>();
  for (const metadata of memories.toSorted(byAge)) {
    const { storeId, type, statement } = metadata;
    const key = JSON.stringify([storeId, type, foldBlanks(statement)]);
    groups.set(key, [...(groups.get(key) ?? []), metadata]);
  }
  const steps: PlannedStep[] = [];
  for (const group of groups.values()) {
    if (group.length === 1) continue;
    const kept: StoredMemory[] = [];
    for (const metadata of group) {
      const read = asItIs(place, collection, metadata);
      if (!read) continue;
      const older = kept.find((one) => duplicateEdit(read, one));
      if (older) steps.push(merging(place, collection, read.metadata, older.metadata));
      else kept.push(read);
    }
  }
  return steps;
}

function byAge(a: MemoryMetadata, b: MemoryMetadata): number {
  const [one, other] = [a, b].map(({ created = "", id }) => `${created} ${id}`);
  return (one ?? "") < (other ?? "") ? -1 : 1;
}

function foldBlanks(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function merging(
  place: Place,
  collection: Collection,
  newer: MemoryMetadata,
  older: MemoryMetadata,
): PlannedStep {
  const reason = `says word for word what ${handleOf(older)} says`;
  return {
    step: { action: "merge-duplicate", name: newer.name, other: older.name, reason },
    apply: async () => {
      // As they are by now: an earlier step may have given one of them what a third was found by.
      const [duplicate, into] = [newer, older].map((metadata) => asItIs(place, collection, metadata));
      const edit = duplicate && into ? duplicateEdit(duplicate, into) : undefined;
      if (!duplicate || !into || edit === undefined) {
        const message = `${newer.name} or ${older.name} was changed meanwhile`;
        throw new HeedError("changed-outside", message, { file: newer.file });
      }
      const why = `exact duplicate of ${older.name}, found by its name from now on`;
      return new MemoryWriter(place, TIDY_ACTOR).merge(duplicate, into, edit, why);
    },
  };
}

function asItIs(place: Place, collection: Collection, metadata: MemoryMetadata): StoredMemory | undefined {
  const { memory } = openedStore(place, collection.storeOf(metadata)).read(metadata.file);
  return memory?.metadata.id === metadata.id ? memory : undefined;
}

/** What the older one takes over. Undefined for other words, scope, guard, claims or expiry, own links, and lists that overflow. */
function duplicateEdit(
  newer: StoredMemory,
  older: StoredMemory,
): Pick<MemoryAmendment, "tags" | "trigger" | "aliases"> | undefined {
  const [held, other] = [newer, older].map(
    ({ metadata: { type, scope, guard, claims, expires, statement }, body }) =>
      JSON.stringify([type, scope, guard, claims, expires, foldBlanks(statement), foldBlanks(body)]),
  );
  const { id, name, tags, trigger, aliases } = older.metadata;
  const links = newer.metadata.links.filter(({ to }) => ![id, name].includes(plainHandle(to)));
  if (held !== other || links.length > 0) return undefined;
  const taken = {
    tags: [...new Set([...tags, ...newer.metadata.tags])],
    trigger: [...new Set([...trigger, ...newer.metadata.trigger])],
    aliases: [...new Set([newer.metadata.name, ...aliases, ...newer.metadata.aliases])].slice(
      0,
      LIMITS.aliases,
    ),
  };
  return Object.values(taken).every((list) => list.length <= LIMITS.listItems) ? taken : undefined;
}

/** The record goes whole into the history of conversations. Where the user wants no history, the episode stays. */
async function planEpisodes(place: Place, collection: Collection): Promise<PlannedStep[]> {
  if (place.found.history === "off") return [];
  const today = place.now().toISOString();
  const steps: PlannedStep[] = [];
  for (const metadata of collection.memories(["episode"])) {
    const { name, statement, decayAfter } = metadata;
    if (decayAfter === undefined || decayAfter >= today || !mayTouch(metadata, collection)) continue;
    const read = await collection.read(metadata);
    if (!read) continue;
    const reason = `expired on ${decayAfter.slice(0, 10)}; its record goes to the history`;
    steps.push({
      step: { action: "drop-episode", name, reason },
      apply: () => {
        keepRecord(place, metadata, `${statement}\n${read.body}`);
        return new MemoryWriter(place, TIDY_ACTOR).remove(metadata, reason);
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
  const time = writtenAt(metadata);
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
}
