import { inboxOf } from "../here/consent/inbox.ts";
import { type Collection, openCollection } from "../here/collection.ts";
import type { Place } from "../here/place.ts";
import { type WriteConsent, consentOf } from "./write-consent.ts";
import type { Write } from "./memory-of-draft.ts";
import {
  amendmentGate,
  derivableGate,
  hostileGate,
  readInstructions,
  refuseSecret,
  relativeDatesGate,
} from "./gates/text-gates.ts";
import type { Gate, GateContext, RemovedSibling, Sibling } from "./gates/gate.ts";
import { nearMemories, refuseRejected } from "./gates/near-memories.ts";
import { schemaGate, tagsGate } from "./gates/schema-gate.ts";
import type { GateRefusal, MemoryDraft, MemoryMetadata, NearMemory, StoreKind } from "../memory/memory.ts";
import { draftOf, memoryIn } from "../memory/memory.ts";
import { localDay } from "../machine/read-fields.ts";
import { search } from "../search/search.ts";
import { findProjectRoot } from "../store/find-stores.ts";
import type { StoreReader } from "../store/store-reader.ts";

/** In order: is it a memory, may it hold this, how are dates written, does it lose text. Each sees what the last one left. */
const GATES: readonly Gate[] = [
  schemaGate,
  hostileGate,
  relativeDatesGate,
  derivableGate,
  amendmentGate,
  tagsGate,
];

/** What is there before a write. One for all writes of one call. */
export interface Stock extends Pick<GateContext, "today" | "removed" | "instructions"> {
  collection: Collection;
  memories: readonly MemoryMetadata[];
}

/** What passed the gates: the draft as they left it, and what they say of it. */
export interface Checked extends Pick<WriteConsent, "door" | "by" | "quoted"> {
  draft: MemoryDraft;
  warnings: string[];
  /** Why it waits for the user. */
  waits: string[];
  near: NearMemory[];
}

const MAX_COMPARED = 20;
const MAX_QUERY_CHARS = 600;

export async function stockOf(place: Place, store: StoreReader, opened?: Collection): Promise<Stock> {
  const collection = opened ?? (await openCollection(place, { thoroughness: "full" }));
  const memories = collection.memories().filter(({ storeId }) => storeId === store.ref.id);
  const root = findProjectRoot(place.cwd);
  const removed = store.listTombstones().map(({ memory, reason, removed: date }): RemovedSibling => {
    const { name, statement } = memory.metadata;
    return { name, statement, body: memory.body, reason, date };
  });
  const rejected = inboxOf(place).listRejected();
  return {
    collection,
    memories,
    today: localDay(place.now()),
    removed: [...removed, ...rejected.map(({ memory, ...rest }) => ({ ...memory, ...rest }))],
    instructions: root === undefined ? [] : readInstructions(root),
  };
}

/** Asks by which door it comes, and all gates. What they find in the memory as it was is no refusal, but for a secret. */
export async function checkDraft(place: Place, write: Write, stock: Stock): Promise<Checked | GateRefusal[]> {
  const { actor, current, text, isConfirmed = false } = write;
  // Before its words are looked for in a turn, which is recorded without secrets.
  const secret = refuseSecret(write.draft, text);
  if (secret) return [secret];
  const { draft, refusal, waits, ...consent } = consentOf(place, write, stock.collection.memories());
  if (refusal) return [refusal];
  const context: GateContext = {
    ...stock,
    actor,
    isConfirmed,
    types: place.types,
    policy: place.types.get(draft.type),
    current: current && memoryIn(current),
    isUsersWord: isConfirmed || waits !== undefined || consent.door !== undefined,
    text,
    siblings: await likeliest(place, { ...write, draft }, stock),
  };
  const isAsked = actor.kind !== "person" && !isConfirmed && consent.door === undefined;
  const rejected = isAsked ? refuseRejected(draft, context) : undefined;
  if (rejected) return [rejected];
  const { refusals, pending, ...passed } = runGates(draft, context);
  const before = refusals.length > 0 && current ? runGates(draftOf(memoryIn(current)), context).refusals : [];
  const isNew = (one: GateRefusal): boolean =>
    !before.some(({ gate, reason }) => gate === one.gate && reason === one.reason);
  if (refusals.some(isNew)) return refusals.filter(isNew);
  const reasons = [write.waitsFor, waits, pending].filter((reason) => reason !== undefined);
  return { ...passed, ...consent, waits: reasons, near: nearMemories(passed.draft, context) };
}

function runGates(
  given: MemoryDraft,
  context: GateContext,
): Pick<Checked, "draft" | "warnings"> & { refusals: GateRefusal[]; pending: string | undefined } {
  const refusals: GateRefusal[] = [];
  const warnings: string[] = [];
  let draft = given;
  let pending: string | undefined;
  for (const gate of GATES) {
    const said = gate(draft, context);
    refusals.push(...(said.refusals ?? []));
    warnings.push(...(said.warnings ?? []));
    draft = said.draft ?? draft;
    pending ??= said.pending;
  }
  return { draft, refusals, warnings, pending };
}

async function likeliest(
  place: Place,
  { draft, store, current }: Write,
  { collection }: Stock,
): Promise<Sibling[]> {
  const found = search(collection.readers, {
    text: `${draft.statement}\n${draft.body.slice(0, MAX_QUERY_CHARS)}`,
    syntax: "prompt",
    limit: MAX_COMPARED,
    admits: ({ storeId }) => storeId === store.ref.id,
  });
  const siblings = new Map<string, Sibling>();
  for (const { metadata } of found.hits) {
    const { id, type, status, flags } = metadata;
    // A record of a session repeats what was said in it: it is nobody's duplicate.
    const isEpisode = place.types.get(type)?.injection === "resume";
    if (siblings.has(id) || id === current?.metadata.id || isEpisode) continue;
    if (status === "superseded" || flags !== undefined) continue;
    if (!holdsBeside(place, metadata, store.ref.kind, current?.metadata)) continue;
    const read = await collection.read(metadata);
    if (read) siblings.set(id, memoryIn(read));
  }
  return [...siblings.values()];
}

export function holdsBeside(
  place: Place,
  { scope }: MemoryMetadata,
  storeKind: StoreKind,
  current?: MemoryMetadata,
): boolean {
  if (scope.repo === undefined || storeKind === "project") return true;
  if (current?.scope.repo !== undefined) return current.scope.repo === scope.repo;
  return place.here().isRepositoryHere(scope.repo);
}
