import type { Place } from "../here/place.ts";
import { openedStore } from "../here/opened-stores.ts";
import { needsOwnersWord } from "../here/consent/standing.ts";
import { readUserWords, recordUserWord } from "../store/consent.ts";
import { whoMayWrite } from "../here/user-config.ts";
import { isUsersToChange, NOBODY, UNTOLD, whyShared } from "./write-consent.ts";
import { type GateName, HeedError, refusedBy } from "../machine/heed-error.ts";
import type { Actor, ActorKind, MemoryMetadata, Memory, StoreRef } from "../memory/memory.ts";
import { isSameText, memoryIn } from "../memory/memory.ts";
import type { MemoryAmendment } from "../memory/codec/encode-memory.ts";
import { findSecrets } from "../memory/screening/find-secrets.ts";
import type { StoredMemory } from "../store/files/scan-store.ts";
import type { ChangeRecord, FileChange, StoreWrite } from "../store/history/change-record.ts";
import type { FileMemoryStore } from "../store/file-memory-store.ts";

interface ChangeRules {
  /** Fields that an amendment may touch; default: all that the gates have seen. */
  fields?: readonly (keyof MemoryAmendment)[];
  /** Files that may be changed, by their paths in the store; default: those of memories. */
  files?: readonly string[];
  /** Default: anybody. */
  by?: readonly ActorKind[];
}

/** Who may make which kind of change, and of what: the one writer asks before it touches a store. */
const CHANGE_KINDS = {
  // A draft, an edited file, a confirmed proposal, a solution.
  write: {},
  episode: { fields: ["statement", "body", "updated", "salience", "status"], by: ["hook"] },
  // Names and values that the working tree has now.
  repair: { fields: ["statement", "body", "claims", "updated"] },
  verify: { fields: ["verified", "claims"] },
  guard: { fields: ["guard", "updated"], by: ["person"] },
  // What a duplicate was found by.
  merge: { fields: ["tags", "trigger", "aliases"], by: ["hook"] },
  remove: {},
  restore: {},
  rename: {},
  undo: {},
  // What only the user may set asks for a person before it comes here.
  setting: { files: ["config.yaml", ".gitignore"], by: ["person", "model"] },
  sync: { by: ["person"] },
  scrub: { by: ["person"] },
} satisfies Record<string, ChangeRules>;

type ChangeKind = keyof typeof CHANGE_KINDS;
const rulesOf = (kind: ChangeKind): ChangeRules => CHANGE_KINDS[kind];

/** The kinds of change that amend a memory; the others have a method of their own. */
export type AmendmentKind = "write" | "episode" | "repair" | "verify" | "guard";

interface Purpose<Kind extends ChangeKind = AmendmentKind> {
  kind: Kind;
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

  async create(store: StoreRef, memory: Memory, purpose: Purpose<"write" | "episode">): Promise<StoreWrite> {
    const [written] = await this.createAll(store, [memory], purpose);
    return written!;
  }

  async createAll(
    store: StoreRef,
    memories: readonly Memory[],
    { kind, why }: Purpose<"write" | "episode">,
  ): Promise<StoreWrite[]> {
    const opened = this.#opened(kind, store);
    for (const { name, statement, body, tags, aliases, trigger } of memories)
      requireNoSecret(kind, "", { name, statement, body, tags, aliases, trigger });
    const written = await opened.createAll(memories, { why, actor: this.#actor });
    return written.map((one) => this.#keepReleased(store, undefined, one));
  }

  async amend(
    current: StoredMemory,
    edit: string | MemoryAmendment,
    { kind, why }: Purpose,
  ): Promise<StoreWrite> {
    const { metadata } = current;
    const opened = this.#opened(kind, this.#storeOf(metadata));
    requireFields(kind, edit);
    if (kind !== "write" && isUsersToChange(this.#place, this.#actor, metadata)) {
      const touched = touchedBy(edit).find((field) => !UNTOLD.has(field));
      if (touched !== undefined)
        throw refused(`${touched} of ${metadata.name} is for a person to change`, "user-word");
    }
    requireNoSecret(kind, current, edit);
    const note = { why, actor: this.#actor };
    const written = await opened.amend(metadata.file, edit, metadata.contentHash, note);
    return this.#keepReleased(opened.ref, current, written);
  }

  async remove(metadata: MemoryMetadata, why: string): Promise<StoreWrite> {
    const opened = this.#opened("remove", this.#storeOf(metadata));
    return this.#keepReleased(opened.ref, undefined, await opened.remove(metadata.file, why, this.#actor));
  }

  async merge(
    duplicate: StoredMemory,
    into: StoredMemory,
    edit: MemoryAmendment,
    why: string,
  ): Promise<StoreWrite> {
    const opened = this.#opened("merge", this.#storeOf(into.metadata));
    requireFields("merge", edit);
    requireNoSecret("merge", [duplicate, into], edit);
    const written = await opened.merge(duplicate, into, edit, { why, actor: this.#actor });
    return this.#keepReleased(opened.ref, into, written);
  }

  async restore(store: StoreRef, nameOrId: string, why: string): Promise<StoreWrite> {
    const opened = this.#opened("restore", store);
    const written = await opened.restore(nameOrId, { why, actor: this.#actor });
    return this.#keepReleased(store, undefined, written);
  }

  async rename(current: StoredMemory, newName: string, why: string): Promise<StoreWrite> {
    const { metadata } = current;
    const opened = this.#opened("rename", this.#storeOf(metadata));
    requireNoSecret("rename", metadata.name, newName);
    const written = await opened.rename(metadata.file, newName, { why, actor: this.#actor });
    return this.#keepReleased(opened.ref, current, written);
  }

  async changeFiles(
    store: StoreRef,
    files: FileChange[],
    { kind, ...note }: Purpose<"undo" | "setting"> & { undoes?: string },
  ): Promise<ChangeRecord> {
    const opened = this.#opened(kind, store);
    const allowed = rulesOf(kind).files;
    const other = allowed && files.find(({ file }) => !allowed.includes(file));
    if (other) throw refused(`a change of the kind ${kind} does not touch ${other.file}`, "amendment");
    return opened.change(files, { ...note, actor: this.#actor });
  }

  async recover(store: StoreRef): Promise<void> {
    await this.#open(store).recover();
  }

  /** Hands stores to a sync or scrub, which changes many files under its own locks (scripts/layers.mjs names them). */
  async handOver<T>(
    kind: "sync" | "scrub",
    work: (open: (store: StoreRef) => FileMemoryStore) => Promise<T>,
  ): Promise<T> {
    this.#require(kind);
    return work((store) => this.#open(store));
  }

  /** The store to change, once the change may be made. */
  #opened(kind: ChangeKind, store: StoreRef): FileMemoryStore {
    this.#require(kind, store);
    return this.#open(store);
  }

  #open(store: StoreRef): FileMemoryStore {
    return openedStore(this.#place, store) as FileMemoryStore;
  }

  #storeOf({ storeId, name }: MemoryMetadata): StoreRef {
    const store = this.#place.stores.find(({ id }) => id === storeId);
    if (store) return store;
    throw new HeedError("no-store", `the store of ${name} is no longer here`, { store: storeId });
  }

  #require(kind: ChangeKind, store?: StoreRef): void {
    const { by } = rulesOf(kind);
    const { kind: actor } = this.#actor;
    if (kind !== "setting" && kind !== "scrub" && whoMayWrite(this.#place) === "nobody")
      throw refusedBy(NOBODY.gate, NOBODY.reason, NOBODY.remedy);
    const shared = store && actor === "model" ? whyShared(store.kind) : undefined;
    if (shared !== undefined && !OF_HEED.has(kind))
      throw refused(`${shared}, and only a person changes what it says`, "user-word");
    if (by !== undefined && !by.includes(actor))
      throw refused(`a change of the kind ${kind} is ${by.join(" or ")}'s, not ${actor}'s`, "user-word");
    // Before it is known to be done: what fails half way must not be begun again either.
    this.#place.call.hasChanged = true;
  }

  /** A release stays through a person's change, and through one that leaves statement and text alone. */
  #keepReleased(store: StoreRef, before: StoredMemory | undefined, written: StoreWrite): StoreWrite {
    const { places, types, now } = this.#place;
    const after = written.memory;
    const { flags, type, contentHash } = after.metadata;
    if (flags === undefined && !needsOwnersWord(store, types.get(type), after.metadata)) return written;
    const isPersons = this.#actor.kind === "person";
    if (!isPersons && !(before && isSameText(memoryIn(before), memoryIn(after)))) return written;
    const words = readUserWords(places);
    const wasReleased = before && words.get(before.metadata.contentHash) === "confirmed";
    if (words.get(contentHash) !== "confirmed" && (isPersons || wasReleased))
      recordUserWord(places, after.metadata, "confirmed", now());
    return written;
  }
}

/** A `write` has passed the gates; a change of any other kind brings no new secret either. */
function requireNoSecret(kind: ChangeKind, before: unknown, after: unknown): void {
  if (kind === "write") return;
  const known = wordsOf(before);
  const words = wordsOf(after);
  if (findSecrets(words).some(({ start, end }) => !known.includes(words.slice(start, end))))
    throw refused("it would bring a secret into a memory: say where it is kept, not what it is", "secret");
}

function requireFields(kind: ChangeKind, edit: string | MemoryAmendment): void {
  const { fields } = rulesOf(kind);
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
