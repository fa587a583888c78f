import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { WriteResult } from "../here/api/written-memory.ts";
import { type Collection, openCollection } from "../here/collection.ts";
import type { Place } from "../here/place.ts";
import { logTrouble } from "../here/trouble-log.ts";
import { announceLater } from "../here/records/announcements.ts";
import {
  type InjectedMemory,
  type QuotedPassage,
  injectedAs,
  readSession,
  recordSession,
} from "../here/records/session-state.ts";
import { covers, standingNote } from "../here/trust/standing.ts";
import { extractClaims } from "./extract-claims.ts";
import { announce, announceQuoted, propose } from "./ask-user.ts";
import { type DraftCase, type GatedDraft, askGates, holdsBeside } from "./gate-context.ts";
import {
  type Circumstances,
  amendmentOfDraft,
  memoryOfDraft,
  nameFor,
  withIdentity,
  withNames,
} from "./memory-of-draft.ts";
import { MemoryWriter } from "./memory-writer.ts";
import { Inbox } from "../here/inbox.ts";
import type { InboxItem } from "../here/proposal-code.ts";
import { isSameStatement, repeatsText } from "./gates/near-memories.ts";
import { schemaGate } from "./gates/schema-gate.ts";
import { HeedError } from "../machine/heed-error.ts";
import {
  type Actor,
  type Memory,
  type MemoryDraft,
  type MemoryMetadata,
  memoryKey,
} from "../memory/memory.ts";
import { endedOn } from "../here/trust/admission.ts";
import { type MemoryAmendment, amendMemory } from "../memory/codec/amend-memory.ts";
import { hasReason, withReason } from "../memory/codec/sections.ts";
import { missingAsks } from "../memory/codec/type-needs.ts";
import { isoSeconds } from "../machine/read-fields.ts";
import type { TypePolicy } from "../memory/memory-type.ts";
import { readOnlyWords, slugOf } from "../memory/handle.ts";
import type { StoredMemory } from "../store/files/scan-store.ts";
import { shownDiff } from "../store/history/unified-diff.ts";
import type { StoreReader } from "../store/store-reader.ts";

/** A draft that is to enter a store, as a memory of its own or as a change of one. */
export interface DraftEntry {
  draft: MemoryDraft;
  actor: Actor;
  store: StoreReader;
  /** Looked up again by name when undefined. */
  current?: StoredMemory;
  /** The user has given their word, or the write tells nothing new about anybody. */
  isConfirmed: boolean;
  /** The memory as it was proposed: its identity, scope and origin stay. */
  proposed?: Memory;
  /** Why it waits for the user's word in any case. */
  waitsFor?: string;
  /** What a change does besides the draft's fields; goes before them. */
  also?: MemoryAmendment;
  /** One line for the history; default: the description, or the fields that changed. */
  why?: string;
  /** For a change by its whole text: what it brings besides the draft's fields. */
  text?: string;
  /** Guards that came with it: they wait with it where it waits. */
  guards?: readonly unknown[] | undefined;
  /** The writer gave single fields (the default), the whole body or the whole file. */
  gives?: DraftCase["gives"];
  /** It comes out of an instruction file of the repository. */
  isFromInstructions?: boolean;
}

/** Takes a draft through the gates and into its store, or into the inbox. */
export async function enterStore(place: Place, given: DraftEntry): Promise<WriteResult> {
  const entry = { ...given };
  const { actor, store, isConfirmed } = entry;
  const { id, isReadOnly } = store.ref;
  if (isReadOnly) throw new HeedError("read-only", readOnlyWords(store.ref), { store: id });
  const repository = await place.learnRepository();
  const collection = await openCollection(place, { thoroughness: "full" });
  const memories = collection.memories().filter(({ storeId }) => storeId === store.ref.id);
  const beside = memories.filter(
    (metadata) =>
      metadata.status !== "superseded" &&
      endedOn(metadata, place.now()) === undefined &&
      holdsBeside(place, metadata, store.ref.kind, entry.current?.metadata),
  );
  const namesake = entry.current ? undefined : findNamesake(entry.draft, memories, beside);
  const current = entry.current ?? (namesake && (await collection.read(namesake)));
  requireOwnFile(current);
  entry.draft = withNames(entry.draft, memories);
  // Whoever gives its name means to change it.
  const isSaidAgain =
    namesake !== undefined && current !== undefined && namesake.name !== slugOf(entry.draft.name ?? "");
  if (isSaidAgain && repeatsText(entry.draft, { ...current.metadata, body: current.body })) {
    entry.draft = saidAgain(entry.draft, current);
    const again = unchangedBy(place, entry, current, repository);
    if (again) return again;
  }
  const named = { ...entry.draft, name: current?.metadata.name ?? ownName(place, entry, collection) };
  const answer = await askGates(place, {
    draft: named,
    actor,
    store,
    current,
    collection,
    memories,
    isConfirmed,
    ...(entry.text !== undefined && { text: entry.text }),
    ...(entry.gives !== undefined && { gives: entry.gives }),
    ...(entry.also && { besidesDraft: Object.keys(entry.also) }),
    ...(entry.isFromInstructions !== undefined && { isFromInstructions: entry.isFromInstructions }),
  });
  if (answer.refusals.length > 0) return { outcome: "refused", refusals: answer.refusals };
  // A name of heed's making is made of what is kept: the user's line may have taken the statement's place.
  if (!current && answer.draft.description !== entry.draft.description)
    answer.draft = { ...answer.draft, name: ownName(place, entry, collection, answer.draft) };
  const withNear = (result: WriteResult): WriteResult =>
    answer.near.length === 0 || result.outcome === "refused" ? result : { ...result, near: answer.near };
  const policy = place.types.get(answer.draft.type);
  // The schema gate has seen to it; this is for the compiler.
  if (!policy)
    return {
      outcome: "refused",
      refusals: [{ gate: schemaGate.name, reason: "no type", remedy: "give one" }],
    };
  const here: WrittenHere = { store, policy, now: place.now() };
  const circumstances: Circumstances = {
    now: here.now,
    actor,
    store: store.ref,
    policy,
    repository,
    door: answer.door,
    quoted: answer.quoted,
  };
  const extracted = await extractClaims(place, {
    draft: answer.draft,
    current,
    had: current?.metadata.claims ?? entry.proposed?.claims ?? [],
    store: store.ref,
    policy,
    about: current?.metadata ?? entry.proposed ?? memoryOfDraft(answer.draft, circumstances),
  });
  if (extracted.refusals.length > 0) return { outcome: "refused", refusals: extracted.refusals };
  answer.warnings.push(...extracted.warnings);
  const { claims: _declared, ...unclaimed } = answer.draft;
  answer.draft = { ...unclaimed, ...(extracted.claims && { claims: extracted.claims }) };
  const changes =
    current &&
    withDoor(
      withAlso(amendmentOfDraft(answer.draft, current, circumstances), entry, circumstances.now),
      current,
      actor,
      answer,
    );
  if (current && changes && Object.keys(changes).length === 0 && entry.text === undefined)
    return resultOf("unchanged", current, here, answer.warnings);
  const memory = withIdentity(memoryOfDraft(answer.draft, circumstances), entry.proposed);
  const waits = [entry.waitsFor, answer.pending].filter((one) => one !== undefined);
  const isOfFact = policy.injection !== "always" && !policy.needs.includes("confirmation");
  const isReworded = changes?.description !== undefined;
  const isRestated = isOfFact ? isReworded : !changes || isReworded || changes.body !== undefined;
  // What the user could not be told of is not in force behind their back: the line goes first, and is told while it is so.
  const isAnnounced = waits.length === 0 && answer.door === "quote" && isRestated;
  if (isAnnounced && !tellUser(place, here, memory, current?.metadata))
    waits.push("heed could not record the line that tells the user of it");
  if (waits.length > 0) {
    noteWrite(place, actor);
    const waiting = await propose(place, {
      memory,
      actor,
      store,
      current,
      changes,
      reason: waits.join("; "),
      guards: entry.guards,
    });
    return withNear(waiting);
  }
  const { by } = answer;
  const writer = new MemoryWriter(place, actor);
  const gated = { kind: "write", ...(answer.pass && { pass: answer.pass }) } as const;
  if (!current || !changes) {
    const why = entry.why ?? memory.description;
    const { memory: written } = await writer.create(store.ref, memory, { ...gated, why });
    noteInForce(place, entry, written, policy, by);
    return withNear(resultOf("written", written, here, answer.warnings));
  }
  const edit =
    entry.text === undefined
      ? changes
      : amendMemory(entry.text, ownChanges(changes, answer.draft, entry.draft));
  const amended = await writer.amend(current, edit, { ...gated, why: whyOf(changes) });
  noteInForce(place, entry, amended.memory, policy, by);
  if (amended.before === amended.after)
    return withNear(resultOf("unchanged", amended.memory, here, answer.warnings));
  const diff = shownDiff(amended.memory.metadata.name, amended.before ?? "", amended.after);
  return withNear({ ...resultOf("amended", amended.memory, here, answer.warnings), diff });
}

/** Notes what was written for its session, and takes proposals of the same out of the inbox: they need no answer any more. */
function noteInForce(
  place: Place,
  { actor, store, proposed }: DraftEntry,
  written: StoredMemory,
  { injection }: TypePolicy,
  by: QuotedPassage | undefined,
): void {
  if (endedOn(written.metadata, place.now()) !== undefined) return noteWrite(place, actor, written, { by });
  noteWrite(place, actor, written, { form: injection === "always" ? "rule" : "map", by });
  const inbox = new Inbox(place.places, place.types);
  const isSame = ({ memory, proposal }: InboxItem): boolean =>
    !proposal.target && proposal.store === store.ref.id && covers(written.metadata, memory);
  for (const item of inbox.list().filter(isSame))
    if (item.memory.id !== proposed?.id) inbox.take(item.memory.name, written.metadata.contentHash);
}

/** Leaves the line that tells the user of what came into force by their quoted words; whether it could be recorded. */
function tellUser(
  place: Place,
  { store: { ref }, policy }: WrittenHere,
  memory: Memory,
  before: MemoryMetadata | undefined,
): boolean {
  const storeId = ref.id;
  const about = { key: memoryKey({ storeId, id: (before ?? memory).id }), description: memory.description };
  const line = announceQuoted(memory, policy, before);
  try {
    announceLater(place.places, { line, about, where: place.workRoot });
    return true;
  } catch (error) {
    logTrouble("an announcement", error, place.env);
    return false;
  }
}

/** The store, the type and the time of a write. */
interface WrittenHere {
  store: StoreReader;
  policy: TypePolicy;
  now: Date;
}

function resultOf(
  outcome: "written" | "amended" | "unchanged",
  { metadata, body }: StoredMemory,
  { store, policy, now }: WrittenHere,
  warnings: string[],
): Extract<WriteResult, { metadata: unknown }> {
  const verb = { written: "remembered", amended: "changed", unchanged: "unchanged" } as const;
  const lacksReason = policy.needs.includes("grounds") && !hasReason(body);
  const lacked = missingAsks({ ...metadata, body }, policy);
  const missing = lacksReason ? "; no reason was given" : lacked === "" ? "" : `; missing: ${lacked}`;
  return {
    outcome,
    metadata,
    path: join(store.ref.root, metadata.file),
    announcement: `${announce(verb[outcome], metadata, policy, store.ref.kind)}${outcome === "written" ? missing : ""}${standingNote(store.ref, metadata, now)}`,
    warnings,
  };
}

function withAlso(changes: MemoryAmendment, { also }: DraftEntry, now: Date): MemoryAmendment {
  return also && Object.keys(also).length > 0 ? { updated: isoSeconds(now), ...changes, ...also } : changes;
}

/** A change of what a memory says is noted with the door by which it came, and what the user's words add to its origin. */
function withDoor(
  changes: MemoryAmendment,
  { metadata }: StoredMemory,
  { kind }: Actor,
  { door, quoted }: Pick<GatedDraft, "door" | "quoted">,
): MemoryAmendment {
  const isSaidAnew = ["description", "body", "type"].some((field) => field in changes);
  const before = changes.origin ?? metadata.origin;
  // A person who changes a part of it leaves the rest as it came; what nobody else said has no door.
  if (!isSaidAnew || (door === undefined && (kind === "person" || before.door === undefined))) return changes;
  const { door: _door, quote: _quote, reason: _reason, first: _first, ...rest } = before;
  const origin = { ...rest, ...(door && { door }), ...quoted };
  return isDeepStrictEqual(origin, before) ? changes : { ...changes, origin };
}

/** The name of a new memory: as it was given or proposed; one that is made is nobody else's, not even a removed one's. */
function ownName(
  place: Place,
  { draft, store, proposed }: DraftEntry,
  collection: Collection,
  { description }: Pick<MemoryDraft, "description"> = draft,
): string {
  const name = draft.name ?? proposed?.name;
  if (name !== undefined) return name;
  const taken = new Set([
    ...collection.memories().map((metadata) => metadata.name),
    ...store.listTombstones().map(({ memory }) => memory.metadata.name),
    ...new Inbox(place.places, place.types).listRejected().map(({ memory }) => memory.name),
  ]);
  return nameFor(description, (made) => taken.has(made));
}

/** The memory that a draft amends by its name, or that says the same; a name that heed made from other words says nothing. */
function findNamesake(
  { name, description }: MemoryDraft,
  memories: readonly MemoryMetadata[],
  beside: readonly MemoryMetadata[],
): MemoryMetadata | undefined {
  return (
    // Who gives a name means the memory of that name, wherever it holds.
    memories.find((metadata) => name !== undefined && slugOf(metadata.name) === slugOf(name)) ??
    beside.find((metadata) => isSameStatement(metadata.description, description))
  );
}

/** A statement that is there already, with the text that is there, and a reason where that had none. */
function saidAgain(
  { description: _same, reason, ...draft }: MemoryDraft,
  { metadata, body }: StoredMemory,
): MemoryDraft {
  const isNew = reason !== undefined && !hasReason(body);
  const said = { ...draft, description: metadata.description, body: isNew ? withReason(body, reason) : body };
  return isNew ? { ...said, reason } : said;
}

/** The answer to a statement that is there already, and gains nothing: not even that the user said it. */
function unchangedBy(
  place: Place,
  { draft: { quote, ...draft }, actor, store }: DraftEntry,
  current: StoredMemory,
  repository: Circumstances["repository"],
): WriteResult | undefined {
  const policy = place.types.get(draft.type);
  const isQuoted = quote === undefined || current.metadata.origin.door !== undefined;
  if (!policy || !isQuoted) return undefined;
  const circumstances = { now: place.now(), actor, store: store.ref, policy, repository };
  if (Object.keys(amendmentOfDraft(draft, current, circumstances)).length > 0) return undefined;
  noteWrite(place, actor);
  return resultOf("unchanged", current, { store, policy, now: circumstances.now }, []);
}

/** What the gates changed of an edited text, so that everything else stays as it was typed. */
function ownChanges(changes: MemoryAmendment, passed: MemoryDraft, typed: MemoryDraft): MemoryAmendment {
  return {
    ...(passed.body !== typed.body && { body: passed.body }),
    ...(passed.description !== typed.description && { description: passed.description }),
    ...(passed.tags !== typed.tags && passed.tags && { tags: passed.tags }),
    ...(passed.expires !== typed.expires && passed.expires && { expires: passed.expires }),
    ...(changes.claims && { claims: changes.claims }),
    ...(changes.origin && { origin: changes.origin }),
    ...(changes.updated && { updated: changes.updated }),
  };
}

function whyOf(changes: MemoryAmendment): string {
  return `changed ${Object.keys(changes)
    .filter((key) => key !== "updated")
    .join(", ")}`;
}

function requireOwnFile(memory: StoredMemory | undefined): void {
  if (memory?.metadata.section !== undefined)
    throw new HeedError(
      "read-only",
      `${memory.metadata.name} is one section of ${memory.metadata.file}, which another tool owns: edit the file itself`,
      { store: memory.metadata.storeId },
    );
}

/**
 * Notes in its session's log that a model wrote, changed or removed a memory, or that the user removed one by a line
 * that they typed: then nobody reminds it of the turn, or tells it what it said itself or was just told.
 */
export function noteWrite(
  { places, now, env }: Place,
  { kind, door, session, agent }: Actor,
  written?: Pick<StoredMemory, "metadata">,
  { form = "none", by }: { form?: InjectedMemory["form"]; by?: QuotedPassage | undefined } = {},
): void {
  const isSaid = kind === "model" || (door === "formula" && form === "none");
  if (!isSaid || session === undefined || agent !== undefined) return;
  const memories = written ? [injectedAs(written.metadata, form)] : [];
  try {
    if (readSession(places, session).isKnown)
      recordSession(places, session, [
        { kind: "wrote", time: now().toISOString(), memories, ...(by && { by }) },
      ]);
  } catch (error) {
    logTrouble("the session's log", error, env);
  }
}
