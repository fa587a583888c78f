import type { Collection } from "../here/collection.ts";
import type { Place } from "../here/place.ts";
import type { GatePass } from "./gate-pass.ts";
import { type ConsentCase, type WriteConsent, consentOf } from "./write-consent.ts";
import { passOf } from "./make-gate-pass.ts";
import { amendmentOfDraft } from "./memory-of-draft.ts";
import { readInstructions, refuseSecret } from "./gates/text-gates.ts";
import type { AmendedMemory, GateContext, RemovedSibling, Sibling } from "./gates/gate.ts";
import { Inbox } from "../here/inbox.ts";
import { nearMemories, refuseRejected } from "./gates/near-memories.ts";
import { type GatesAnswer, runGates } from "./gates/run-gates.ts";
import type {
  Actor,
  MemoryMetadata,
  StoreKind,
  GateRefusal,
  MemoryDraft,
  NearMemory,
} from "../memory/memory.ts";
import { draftOf } from "../memory/memory.ts";
import { hasReason } from "../memory/codec/sections.ts";
import { localDay } from "../machine/read-fields.ts";
import { handleOf, plainHandle } from "../memory/handle.ts";
import { type TypeTable, takesForce } from "../memory/memory-type.ts";
import { search } from "../search/search.ts";
import type { StoredMemory } from "../store/files/scan-store.ts";
import { findProjectRoot } from "../store/find-stores.ts";
import type { StoreReader } from "../store/store-reader.ts";

/** What the gates say, by which door the draft comes in, and the proof for the writer where they let it pass. */
export interface GatedDraft extends GatesAnswer, Pick<WriteConsent, "door" | "by" | "quoted"> {
  pass?: GatePass;
  /** What a new statement resembles. */
  near: NearMemory[];
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
  memories: readonly MemoryMetadata[];
  /** The user has given their word on it. */
  isConfirmed: boolean;
  /** For a change by the whole text of its file. */
  text?: string;
  /** The writer gave single fields (the default), the whole body or the whole file. */
  gives?: ConsentCase["gives"];
  /** Fields that it changes besides those of the draft. */
  besidesDraft?: readonly string[];
  /** It comes out of an instruction file, which then says it, of course. */
  isFromInstructions?: boolean;
  /** What many drafts are checked by, read once; default: read for this one. */
  facts?: GateFacts;
}

/** What of a store and its surroundings the gates check by, whatever the draft. */
export type GateFacts = Pick<GateContext, "today" | "removed" | "knownTags" | "instructions">;

const MAX_COMPARED = 20;
const MAX_TAGGED = 5;
/** A description and the first paragraphs find what a whole text would. */
const MAX_QUERY_CHARS = 600;

/**
 * Finds by which door a draft comes in, and asks all gates about it. A change of a memory is not blamed for what the memory
 * was like before: what the gates say of the unchanged one is left out. A secret is refused before all else, alone, and also
 * where it stood there before: a change would carry it on.
 */
export async function askGates(place: Place, subject: DraftCase): Promise<GatedDraft> {
  // Before its words are looked for in a turn, which is recorded without secrets.
  const secret = refuseSecret(subject.draft, subject.text);
  const refused = (why: GateRefusal): GatedDraft => ({
    draft: subject.draft,
    refusals: [why],
    warnings: [],
    near: [],
    pending: undefined,
  });
  if (secret) return refused(secret);
  const { draft, refusal, waits, ...consent } = consentOf(place, consentCase(place, subject));
  if (refusal) return refused(refusal);
  const agreed = { ...subject, draft };
  const context = await contextOf(place, agreed, waits !== undefined || consent.door !== undefined);
  const isAsked = subject.actor.kind !== "person" && !subject.isConfirmed && consent.door === undefined;
  const rejected = isAsked ? refuseRejected(draft, context) : undefined;
  if (rejected) return refused(rejected);
  const answer = await runGates(draft, context);
  const pending = [waits, answer.pending].filter((reason) => reason !== undefined).join("; ") || undefined;
  const passes = { pass: passOf(answer.draft, subject.text !== undefined) };
  const checked = { ...answer, near: nearMemories(answer.draft, context), pending, ...consent };
  if (answer.refusals.length === 0) return { ...checked, ...passes };
  if (!subject.current) return checked;
  const before = await runGates(
    draftOf({ ...subject.current.metadata, body: subject.current.body }),
    context,
  );
  const old = new Set(before.refusals.map(({ gate, reason }) => `${gate}\n${reason}`));
  const refusals = answer.refusals.filter(({ gate, reason }) => !old.has(`${gate}\n${reason}`));
  return { ...checked, refusals, ...(refusals.length === 0 && passes) };
}

function consentCase(place: Place, subject: DraftCase): ConsentCase {
  const { draft, actor, current, isConfirmed, store, collection } = subject;
  const policy = place.types.get(draft.type);
  const circumstances = { now: place.now(), actor, store: store.ref, repository: place.repository };
  const changes = current && policy ? amendmentOfDraft(draft, current, { ...circumstances, policy }) : {};
  const known = new Set((current?.metadata.links ?? []).map(({ rel, to }) => `${rel} ${to}`));
  const ends = (draft.links ?? []).filter(
    ({ rel, to }) => rel === "supersedes" && !known.has(`supersedes ${to}`),
  );
  const superseded = collection
    .memories()
    .find(
      (metadata) =>
        takesForce(metadata, place.types) &&
        ends.some(({ to }) => to === metadata.id || plainHandle(to) === metadata.name),
    );
  return {
    draft,
    actor,
    current,
    changed: [
      ...Object.keys(changes),
      ...(subject.besidesDraft ?? []),
      // It goes into the text later.
      ...(current && draft.reason !== undefined && !hasReason(current.body) ? ["body"] : []),
    ],
    isConfirmed,
    storeKind: store.ref.kind,
    gives: subject.gives ?? "fields",
    superseded: superseded && handleOf(superseded),
    memories: collection.memories(),
  };
}

/** Reads what the gates check by besides a draft: once for all that come in one go. */
export function gateFacts(
  place: Place,
  { store, memories }: Pick<DraftCase, "store" | "memories">,
): GateFacts {
  const root = findProjectRoot(place.cwd);
  return {
    today: localDay(place.now()),
    removed: removedSiblings(place, store),
    knownTags: [...new Set(memories.flatMap((metadata) => metadata.tags))],
    instructions: root === undefined ? [] : readInstructions(root),
  };
}

async function contextOf(place: Place, subject: DraftCase, isUsersWord: boolean): Promise<GateContext> {
  const { draft, actor, current, isConfirmed } = subject;
  const { types } = place;
  const facts = subject.facts ?? gateFacts(place, subject);
  return {
    ...facts,
    actor,
    isConfirmed,
    types,
    policy: types.get(draft.type),
    current: current && amendedOf(current),
    isUsersWord: isUsersWord || isConfirmed,
    ...(subject.text !== undefined && { text: subject.text }),
    siblings: await likeliest(place, subject, types),
    instructions: subject.isFromInstructions === true ? [] : facts.instructions,
  };
}

async function likeliest(
  place: Place,
  { draft, store, current, collection, memories }: DraftCase,
  types: TypeTable,
): Promise<Sibling[]> {
  const found = search(collection.readers, {
    text: `${draft.description}\n${draft.body.slice(0, MAX_QUERY_CHARS)}`,
    syntax: "prompt",
    limit: MAX_COMPARED,
    admits: ({ storeId }) => storeId === store.ref.id,
  });
  const tagged = ((draft.tags?.length ?? 0) < 2 ? [] : memories)
    .map((metadata) => ({
      metadata,
      shared: (draft.tags ?? []).filter((tag) => metadata.tags.includes(tag)).length,
    }))
    .filter(({ shared }) => shared >= 2)
    .sort((a, b) => b.shared - a.shared)
    .slice(0, MAX_TAGGED);
  const likely = [...found.hits, ...tagged]
    .map(({ metadata }) => metadata)
    // A record of a session says again what was said in it: it is nobody's duplicate.
    .filter(({ id, type }) => id !== current?.metadata.id && types.get(type)?.layer !== "episodic")
    .filter(({ status, flags }) => status !== "superseded" && flags === undefined)
    .filter((metadata) => holdsBeside(place, metadata, store.ref.kind, current?.metadata));
  const siblings = new Map<string, Sibling>();
  for (const metadata of likely) {
    if (siblings.has(metadata.id)) continue;
    const read = await collection.read(metadata);
    if (read) siblings.set(metadata.id, siblingOf(read));
  }
  return [...siblings.values()];
}

function siblingOf({ metadata, body }: StoredMemory): Sibling {
  const { id, name, description, type, tags } = metadata;
  return { id, name, description, type, tags, body };
}

function amendedOf(memory: StoredMemory): AmendedMemory {
  const { expires } = memory.metadata;
  return { ...siblingOf(memory), ...(expires !== undefined && { expires }) };
}

function removedSiblings(place: Place, store: StoreReader): RemovedSibling[] {
  const removed = store.listTombstones().map(({ memory, reason, removed: date }): RemovedSibling => {
    const { name, description } = memory.metadata;
    return { name, description, body: memory.body, reason, date };
  });
  const rejected = new Inbox(place.places, place.types)
    .listRejected()
    .map(({ memory, by, reason, date, target }): RemovedSibling => {
      const { name, description, body } = memory;
      const checked = { name, description, body, reason, date, rejectedBy: by };
      return { ...checked, ...(target !== undefined && { target }) };
    });
  return [...removed, ...rejected];
}

/**
 * Whether a memory holds where a write will hold: one of another repository says nothing here, however alike it is, and
 * what is said here is no change of it. A change of a memory holds where that one does.
 */
export function holdsBeside(
  place: Place,
  { scope }: MemoryMetadata,
  storeKind: StoreKind,
  current: MemoryMetadata | undefined,
): boolean {
  if (scope.repo === undefined || storeKind === "project") return true;
  if (current?.scope.repo !== undefined) return current.scope.repo === scope.repo;
  return place.here().isRepositoryHere(scope.repo);
}
