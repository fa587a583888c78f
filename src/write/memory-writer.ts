import type { Place } from "../here/place.ts";
import { writableStore } from "../here/writable-store.ts";
import { needsOwnersWord } from "../here/consent/standing.ts";
import { readUserWords, recordUserWord } from "../store/consent.ts";
import { whoMayWrite } from "../here/user-config.ts";
import { isUsersToChange, NOBODY, UNTOLD, whyShared } from "./write-consent.ts";
import { type ChangeKind, type GatePass, type Operation, CHANGE_KINDS } from "./change-rules.ts";
import { type GateName, HeedError } from "../machine/heed-error.ts";
import type { Actor, MemoryMetadata, Memory, StoreRef } from "../memory/memory.ts";
import type { MemoryAmendment } from "../memory/codec/amend-memory.ts";
import { findSecrets } from "../memory/screening/find-secrets.ts";
import type { StoredMemory } from "../store/files/scan-store.ts";
import type { ChangeRecord, FileChange } from "../store/history/change-record.ts";
import type { FileMemoryStore } from "../store/file-memory-store.ts";
import type { StoreWrite } from "../store/store-reader.ts";

interface Purpose {
  kind: ChangeKind;
  why: string;
  /** The proof that the gates let it pass; needed by kinds whose words are `gated`. */
  pass?: GatePass;
}

/** By these memories say nothing new, so a model may make them in a store that others read, too. */
const OF_HEED: ReadonlySet<ChangeKind> = new Set(["repair", "verify", "extract-claims", "setting"]);

/**
 * The one module that changes memory files. Everything else reads stores and asks this: so each change has somebody who
 * asked for it, a kind, and the gates of that kind behind it (change-rules.ts), a call that changed something is known as
 * one (Place.hasChanged), and what was released stays released.
 *
 * @throws of every method: HeedError `gate-refused` for what its kind does not allow; what FileMemoryStore throws.
 */
export class MemoryWriter {
  readonly #place: Place;
  readonly #actor: Actor;

  constructor(place: Place, actor: Actor) {
    this.#place = place;
    this.#actor = actor;
  }

  async create(store: StoreRef, memory: Memory, purpose: Purpose): Promise<StoreWrite> {
    this.#requireNew(store, memory, purpose);
    return this.#apply(store, purpose, undefined, (opened, note) => opened.create(memory, note));
  }

  /** Adds many memories to a store as one change, each with the proof of its own words. */
  async createAll(
    store: StoreRef,
    memories: readonly { memory: Memory; pass?: GatePass }[],
    purpose: Omit<Purpose, "pass">,
  ): Promise<StoreWrite[]> {
    for (const { memory, pass } of memories)
      this.#requireNew(store, memory, { ...purpose, ...(pass && { pass }) });
    const actor = this.#actor;
    this.#place.hasChanged = true;
    const written = await writableStore(this.#place, store).createAll(
      memories.map(({ memory }) => memory),
      { why: purpose.why, actor },
    );
    for (const { memory } of written)
      keepReleased(this.#place, store, { actor, before: undefined, after: memory });
    return written;
  }

  /** Changes a memory, by fields or to a whole new text; `changed-outside` when it is not as it was read. */
  async amend(current: StoredMemory, edit: string | MemoryAmendment, purpose: Purpose): Promise<StoreWrite> {
    const { metadata } = current;
    this.#require("amend", purpose.kind, this.#storeOf(metadata));
    requireFields(purpose.kind, edit);
    if (CHANGE_KINDS[purpose.kind].words !== "gated" && isUsersToChange(this.#place, this.#actor, metadata)) {
      const touched = touchedBy(edit).find((field) => !UNTOLD.has(field));
      if (touched !== undefined)
        throw refused(`${touched} of ${metadata.name} is the user's to change`, "user-word");
    }
    const { pass } = purpose;
    const isProven = pass !== undefined && (typeof edit === "string" ? pass.isWholeText : isSaid(pass, edit));
    this.#requireWords(purpose, current, edit, isProven);
    return this.#apply(this.#storeOf(metadata), purpose, current, (opened, note) =>
      opened.amend(metadata.file, edit, metadata.contentHash, note),
    );
  }

  /** Moves a memory to the tombstones of its store; the purpose's reason is kept with it. */
  async remove(metadata: MemoryMetadata, purpose: Purpose): Promise<StoreWrite> {
    this.#require("remove", purpose.kind, this.#storeOf(metadata));
    return this.#apply(this.#storeOf(metadata), purpose, undefined, (opened) =>
      opened.remove(metadata.file, purpose.why, this.#actor),
    );
  }

  /** Removes a memory and gives what it was found by to its duplicate, as one change. */
  async merge(
    duplicate: StoredMemory,
    into: StoredMemory,
    edit: MemoryAmendment,
    purpose: Purpose,
  ): Promise<StoreWrite> {
    this.#require("merge", purpose.kind, this.#storeOf(into.metadata));
    requireFields(purpose.kind, edit);
    this.#requireWords(purpose, [duplicate, into], edit, false);
    return this.#apply(this.#storeOf(into.metadata), purpose, into, (opened, note) =>
      opened.merge(duplicate, into, edit, note),
    );
  }

  async restore(store: StoreRef, nameOrId: string, purpose: Purpose): Promise<StoreWrite> {
    this.#require("restore", purpose.kind, store);
    return this.#apply(store, purpose, undefined, (opened, note) => opened.restore(nameOrId, note));
  }

  async rename(current: StoredMemory, newName: string, purpose: Purpose): Promise<StoreWrite> {
    const { metadata } = current;
    this.#require("rename", purpose.kind, this.#storeOf(metadata));
    this.#requireWords(purpose, metadata.name, newName, false);
    return this.#apply(this.#storeOf(metadata), purpose, current, (opened, note) =>
      opened.rename(metadata.file, newName, note),
    );
  }

  /** Changes files of a store in one step: settings, and what an undo puts back. */
  async changeFiles(
    store: StoreRef,
    files: FileChange[],
    purpose: Purpose & { undoes?: string },
  ): Promise<ChangeRecord> {
    this.#require("change-files", purpose.kind, store);
    const allowed = CHANGE_KINDS[purpose.kind].files;
    const other = allowed && files.find(({ file }) => !allowed.includes(file));
    if (other)
      throw refused(`a change of the kind ${purpose.kind} does not touch ${other.file}`, "amendment");
    const { why, undoes } = purpose;
    this.#place.hasChanged = true;
    return writableStore(this.#place, store).change(files, {
      why,
      actor: this.#actor,
      ...(undoes !== undefined && { undoes }),
    });
  }

  async recover(store: StoreRef): Promise<void> {
    await writableStore(this.#place, store).recover();
  }

  /** Hands stores to a sync or scrub, which changes many files under its own locks (scripts/layers.mjs names them). */
  async handOver<T>(
    kind: "sync" | "scrub",
    work: (open: (store: StoreRef) => FileMemoryStore) => Promise<T>,
  ): Promise<T> {
    this.#require("hand-over", kind);
    this.#place.hasChanged = true;
    return work((store) => writableStore(this.#place, store));
  }

  async #apply(
    store: StoreRef,
    { why }: Purpose,
    before: StoredMemory | undefined,
    change: (opened: FileMemoryStore, note: { why: string; actor: Actor }) => Promise<StoreWrite>,
  ): Promise<StoreWrite> {
    const actor = this.#actor;
    // Before it is known to be done: what fails half way must not be begun again either.
    this.#place.hasChanged = true;
    const written = await change(writableStore(this.#place, store), { why, actor });
    keepReleased(this.#place, store, { actor, before, after: written.memory });
    return written;
  }

  #requireNew(store: StoreRef, memory: Memory, purpose: Purpose): void {
    this.#require("create", purpose.kind, store);
    const { name, description, body, tags, aliases, trigger } = memory;
    const said = { name, description, body, tags, aliases, trigger };
    this.#requireWords(purpose, "", said, purpose.pass !== undefined && isSaid(purpose.pass, memory));
  }

  #storeOf({ storeId, name }: MemoryMetadata): StoreRef {
    const store = this.#place.stores.find(({ id }) => id === storeId);
    if (store) return store;
    throw new HeedError("no-store", `the store of ${name} is not here any more`, { store: storeId });
  }

  #require(operation: Operation, kind: ChangeKind, store?: StoreRef): void {
    const { does, by } = CHANGE_KINDS[kind];
    if (kind !== "setting" && kind !== "scrub" && whoMayWrite(this.#place) === "nobody")
      throw new HeedError("gate-refused", NOBODY.reason, { gate: NOBODY.gate, remedy: NOBODY.remedy });
    const shared = store && this.#actor.kind === "model" ? whyShared(store.kind) : undefined;
    if (shared !== undefined && !OF_HEED.has(kind))
      throw refused(`${shared}, and only the user changes what it says`, "user-word");
    if (!does.includes(operation))
      throw refused(`a change of the kind ${kind} does no ${operation}`, "amendment");
    if (by !== undefined && !by.includes(this.#actor.kind))
      throw refused(
        `a change of the kind ${kind} is ${by.join(" or ")}'s, not ${this.#actor.kind}'s`,
        "user-word",
      );
  }

  /** What is `gated` carries the proof; what is `screened` brings no secret that was not there before. */
  #requireWords({ kind }: Purpose, before: unknown, after: unknown, isProven: boolean): void {
    if (CHANGE_KINDS[kind].words === "gated") {
      if (isProven) return;
      throw refused(`what is written as ${kind} has not passed the gates in these words`, "schema");
    }
    const known = wordsOf(before);
    const [secret] = secretsIn(wordsOf(after)).filter((text) => !known.includes(text));
    if (secret !== undefined)
      throw refused("it would bring a secret into a memory: say where it is kept, not what it is", "secret");
  }
}

function requireFields(kind: ChangeKind, edit: string | MemoryAmendment): void {
  const { fields } = CHANGE_KINDS[kind];
  const other = fields && touchedBy(edit).find((field) => !(fields as readonly string[]).includes(field));
  if (other !== undefined)
    throw refused(`a change of the kind ${kind} leaves ${other} as it is`, "amendment");
}

function touchedBy(edit: string | MemoryAmendment): string[] {
  return typeof edit === "string" ? ["the whole text"] : Object.keys(edit);
}

/** Whether a proof is of the words that a change says again. */
function isSaid(pass: GatePass, { description, body }: MemoryAmendment): boolean {
  return (
    (description === undefined || description?.trim() === pass.description) &&
    (body === undefined || body?.trim() === pass.body)
  );
}

function wordsOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return "";
  return Object.values(value).map(wordsOf).join("\n");
}

function secretsIn(text: string): string[] {
  return findSecrets(text).map(({ start, end }) => text.slice(start, end));
}

function refused(message: string, gate: GateName): HeedError {
  return new HeedError("gate-refused", `${message}: nothing is changed`, {
    gate,
    remedy: "the user makes the change in a terminal, or it is written through the gates",
  });
}

/**
 * A memory that needs a person's word stays released through a change: a person's change is their word for what it says
 * now, and one that leaves description and text alone takes the release along (the gate has seen the rest). Any other change makes another text of it, which waits.
 */
function keepReleased(
  { places, types, now }: Pick<Place, "places" | "types" | "now">,
  store: StoreRef,
  change: { actor: Actor; before: StoredMemory | undefined; after: StoredMemory },
): void {
  const { actor, before, after } = change;
  const { flags, type } = after.metadata;
  if (flags === undefined && !needsOwnersWord(store, types.get(type), after.metadata)) return;
  const isPersons = actor.kind === "person";
  if (!isPersons && !(before && saysTheSame(before, after))) return;
  const words = readUserWords(places);
  const wasReleased = before && words.get(before.metadata.contentHash) === "confirmed";
  if (words.get(after.metadata.contentHash) !== "confirmed" && (isPersons || wasReleased))
    recordUserWord(places, after.metadata, { word: "confirmed", time: now() });
}

function saysTheSame(before: StoredMemory, after: StoredMemory): boolean {
  return (
    before.metadata.description === after.metadata.description && before.body.trim() === after.body.trim()
  );
}
