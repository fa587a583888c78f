import type { Place } from "../here/place.ts";
import { openedStore } from "../here/opened-stores.ts";
import { needsOwnersWord } from "../here/consent/standing.ts";
import { readUserWords, recordUserWord } from "../store/consent.ts";
import { whoMayWrite } from "../here/user-config.ts";
import { isUsersToChange, NOBODY, UNTOLD, whyShared } from "./write-consent.ts";
import { type GateName, HeedError, refusedBy } from "../machine/heed-error.ts";
import type { Actor, ActorKind, MemoryMetadata, Memory, StoreRef } from "../memory/memory.ts";
import { isSameText, memoryIn } from "../memory/memory.ts";
import type { MemoryAmendment } from "../memory/codec/amend-memory.ts";
import { findSecrets } from "../memory/screening/find-secrets.ts";
import type { StoredMemory } from "../store/files/scan-store.ts";
import type { ChangeRecord, FileChange, StoreWrite } from "../store/history/change-record.ts";
import type { FileMemoryStore } from "../store/file-memory-store.ts";

type Operation =
  | "create"
  | "amend"
  | "merge"
  | "remove"
  | "restore"
  | "rename"
  | "change-files"
  | "hand-over";

interface ChangeRules {
  does: readonly Operation[];
  /** Fields that an amendment may touch; default: all that the gates have seen. */
  fields?: readonly (keyof MemoryAmendment)[];
  /** Files that may be changed, by their paths in the store; default: those of memories. */
  files?: readonly string[];
  /** Default: anybody. */
  by?: readonly ActorKind[];
}

/** The rules of every kind of change. What is not said here cannot be done: the one writer asks before it touches a store. */
const KINDS = {
  // A draft, an edited file, a confirmed proposal, a solution.
  write: { does: ["create", "amend"] },
  episode: {
    does: ["create", "amend"],
    fields: ["statement", "body", "updated", "salience", "status"],
    by: ["hook"],
  },
  // Names and values that the working tree has now.
  repair: { does: ["amend"], fields: ["statement", "body", "claims", "updated"] },
  verify: { does: ["amend"], fields: ["verified", "claims"] },
  guard: { does: ["amend"], fields: ["guard", "updated"], by: ["person"] },
  // What a duplicate was found by.
  maintenance: { does: ["merge"], fields: ["tags", "trigger", "aliases"], by: ["hook"] },
  remove: { does: ["remove"] },
  restore: { does: ["restore"] },
  rename: { does: ["rename"] },
  undo: { does: ["change-files"] },
  // What only the user may set asks for a person before it comes here.
  setting: { does: ["change-files"], files: ["config.yaml", ".gitignore"], by: ["person", "model"] },
  sync: { does: ["hand-over"], by: ["person"] },
  scrub: { does: ["hand-over"], by: ["person"] },
} satisfies Record<string, ChangeRules>;

export type ChangeKind = keyof typeof KINDS;
const CHANGE_KINDS: Readonly<Record<ChangeKind, ChangeRules>> = KINDS;

interface Purpose {
  kind: ChangeKind;
  why: string;
}

/** They make no memory say anything new, so a model may make them where others read, too. */
const OF_HEED: ReadonlySet<ChangeKind> = new Set(["repair", "verify", "setting"]);

/** The one module that changes memory files, by the rules of each kind. @throws HeedError `gate-refused`. */
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

  async createAll(store: StoreRef, memories: readonly Memory[], purpose: Purpose): Promise<StoreWrite[]> {
    for (const memory of memories) this.#requireNew(store, memory, purpose);
    const actor = this.#actor;
    this.#place.call.hasChanged = true;
    const written = await this.#open(store).createAll(memories, { why: purpose.why, actor });
    for (const { memory } of written)
      keepReleased(this.#place, store, { actor, before: undefined, after: memory });
    return written;
  }

  async amend(current: StoredMemory, edit: string | MemoryAmendment, purpose: Purpose): Promise<StoreWrite> {
    const { metadata } = current;
    this.#require("amend", purpose.kind, this.#storeOf(metadata));
    requireFields(purpose.kind, edit);
    if (purpose.kind !== "write" && isUsersToChange(this.#place, this.#actor, metadata)) {
      const touched = touchedBy(edit).find((field) => !UNTOLD.has(field));
      if (touched !== undefined)
        throw refused(`${touched} of ${metadata.name} is for a person to change`, "user-word");
    }
    requireNoSecret(purpose, current, edit);
    return this.#apply(this.#storeOf(metadata), purpose, current, (opened, note) =>
      opened.amend(metadata.file, edit, metadata.contentHash, note),
    );
  }

  async remove(metadata: MemoryMetadata, purpose: Purpose): Promise<StoreWrite> {
    this.#require("remove", purpose.kind, this.#storeOf(metadata));
    return this.#apply(this.#storeOf(metadata), purpose, undefined, (opened) =>
      opened.remove(metadata.file, purpose.why, this.#actor),
    );
  }

  async merge(
    duplicate: StoredMemory,
    into: StoredMemory,
    edit: MemoryAmendment,
    purpose: Purpose,
  ): Promise<StoreWrite> {
    this.#require("merge", purpose.kind, this.#storeOf(into.metadata));
    requireFields(purpose.kind, edit);
    requireNoSecret(purpose, [duplicate, into], edit);
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
    requireNoSecret(purpose, metadata.name, newName);
    return this.#apply(this.#storeOf(metadata), purpose, current, (opened, note) =>
      opened.rename(metadata.file, newName, note),
    );
  }

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
    this.#place.call.hasChanged = true;
    const note = { why, actor: this.#actor, ...(undoes !== undefined && { undoes }) };
    return this.#open(store).change(files, note);
  }

  async recover(store: StoreRef): Promise<void> {
    await this.#open(store).recover();
  }

  /** Hands stores to a sync or scrub, which changes many files under its own locks (scripts/layers.mjs names them). */
  async handOver<T>(
    kind: "sync" | "scrub",
    work: (open: (store: StoreRef) => FileMemoryStore) => Promise<T>,
  ): Promise<T> {
    this.#require("hand-over", kind);
    this.#place.call.hasChanged = true;
    return work((store) => this.#open(store));
  }

  async #apply(
    store: StoreRef,
    { why }: Purpose,
    before: StoredMemory | undefined,
    change: (opened: FileMemoryStore, note: { why: string; actor: Actor }) => Promise<StoreWrite>,
  ): Promise<StoreWrite> {
    const actor = this.#actor;
    // Before it is known to be done: what fails half way must not be begun again either.
    this.#place.call.hasChanged = true;
    const written = await change(this.#open(store), { why, actor });
    keepReleased(this.#place, store, { actor, before, after: written.memory });
    return written;
  }

  #open(store: StoreRef): FileMemoryStore {
    return openedStore(this.#place, store) as FileMemoryStore;
  }

  #requireNew(store: StoreRef, memory: Memory, purpose: Purpose): void {
    this.#require("create", purpose.kind, store);
    const { name, statement, body, tags, aliases, trigger } = memory;
    requireNoSecret(purpose, "", { name, statement, body, tags, aliases, trigger });
  }

  #storeOf({ storeId, name }: MemoryMetadata): StoreRef {
    const store = this.#place.stores.find(({ id }) => id === storeId);
    if (store) return store;
    throw new HeedError("no-store", `the store of ${name} is no longer here`, { store: storeId });
  }

  #require(operation: Operation, kind: ChangeKind, store?: StoreRef): void {
    const { does, by } = CHANGE_KINDS[kind];
    if (kind !== "setting" && kind !== "scrub" && whoMayWrite(this.#place) === "nobody")
      throw refusedBy(NOBODY.gate, NOBODY.reason, NOBODY.remedy);
    const shared = store && this.#actor.kind === "model" ? whyShared(store.kind) : undefined;
    if (shared !== undefined && !OF_HEED.has(kind))
      throw refused(`${shared}, and only a person changes what it says`, "user-word");
    if (!does.includes(operation))
      throw refused(`a change of the kind ${kind} does no ${operation}`, "amendment");
    if (by !== undefined && !by.includes(this.#actor.kind))
      throw refused(
        `a change of the kind ${kind} is ${by.join(" or ")}'s, not ${this.#actor.kind}'s`,
        "user-word",
      );
  }
}

/** A `write` has passed the gates; a change of any other kind brings no new secret either. */
function requireNoSecret({ kind }: Purpose, before: unknown, after: unknown): void {
  if (kind === "write") return;
  const known = wordsOf(before);
  const words = wordsOf(after);
  if (findSecrets(words).some(({ start, end }) => !known.includes(words.slice(start, end))))
    throw refused("it would bring a secret into a memory: say where it is kept, not what it is", "secret");
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

function wordsOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return "";
  return Object.values(value).map(wordsOf).join("\n");
}

function refused(message: string, gate: GateName): HeedError {
  const remedy = "a person makes the change in a terminal, or it is written through the gates";
  return refusedBy(gate, `${message}: nothing is changed`, remedy);
}

/** A release stays through a person's change, and through one that leaves statement and text alone. */
function keepReleased(
  { places, types, now }: Place,
  store: StoreRef,
  { actor, before, after }: { actor: Actor; before: StoredMemory | undefined; after: StoredMemory },
): void {
  const { flags, type } = after.metadata;
  if (flags === undefined && !needsOwnersWord(store, types.get(type), after.metadata)) return;
  const isPersons = actor.kind === "person";
  if (!isPersons && !(before && isSameText(memoryIn(before), memoryIn(after)))) return;
  const words = readUserWords(places);
  const wasReleased = before && words.get(before.metadata.contentHash) === "confirmed";
  if (words.get(after.metadata.contentHash) !== "confirmed" && (isPersons || wasReleased))
    recordUserWord(places, after.metadata, "confirmed", now());
}
