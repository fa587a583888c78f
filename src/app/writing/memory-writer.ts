import { HeedError } from "../../errors/heed-error.ts";
import type { Actor } from "../../memory/actor.ts";
import type { MemoryAmendment } from "../../memory/codec/amend-memory.ts";
import type { MemoryCard } from "../../memory/memory-card.ts";
import type { Memory } from "../../memory/memory.ts";
import type { StoreRef } from "../../memory/store-ref.ts";
import { findSecrets } from "../../screening/find-secrets.ts";
import type { StoredMemory } from "../../store/files/scan-store.ts";
import type { ChangeRecord, FileChange } from "../../store/history/change-record.ts";
import type { MemoryStore, StoreWrite } from "../../store/memory-store.ts";
import type { Place } from "../place/place.ts";
import { writableStore } from "../place/writable-store.ts";
import { keepReleased } from "../trust/keep-released.ts";
import type { ChangeKind } from "./change-kind.ts";
import { CHANGE_KINDS } from "./change-kind.ts";
import type { GatePass } from "./gate-pass.ts";

/** What a change is for, and what it says of itself in the history. */
export interface Purpose {
  kind: ChangeKind;
  /** One line for the history. */
  why: string;
  /** The proof that the gates let the text pass; needed by kinds whose text is `gated`. */
  pass?: GatePass;
}

/**
 * The one module that changes memory files. Everything else reads stores and asks this: so each change has somebody who
 * asked for it, a kind, and the gates of that kind behind it (change-kind.ts), a call that changed something is known as
 * one (Place.hasChanged), and what was released stays released.
 *
 * @throws of every method: HeedError `gate-refused` for what its kind does not allow; what MemoryStore throws.
 */
export class MemoryWriter {
  readonly #place: Place;
  readonly #actor: Actor;

  constructor(place: Place, actor: Actor) {
    this.#place = place;
    this.#actor = actor;
  }

  /** Adds a memory to a store. */
  async create(store: StoreRef, memory: Memory, purpose: Purpose): Promise<StoreWrite> {
    this.#requireText(purpose, "", `${memory.name}\n${memory.description}\n${memory.body}`);
    return this.#apply(store, purpose, undefined, (opened, note) => opened.create(memory, note));
  }

  /** Changes a memory, by fields or to a whole new text; `changed-outside` when it is not as it was read. */
  async amend(current: StoredMemory, edit: string | MemoryAmendment, purpose: Purpose): Promise<StoreWrite> {
    const { card, body } = current;
    const isTextNew = typeof edit === "string" || "description" in edit || "body" in edit || "type" in edit;
    const said = typeof edit === "string" ? edit : `${edit.description ?? ""}\n${edit.body ?? ""}`;
    if (isTextNew) this.#requireText(purpose, `${card.name}\n${card.description}\n${body}`, said);
    return this.#apply(this.#storeOf(card), purpose, current, (opened, note) =>
      opened.amend(card.file, edit, card.contentHash, note),
    );
  }

  /** Moves a memory to the tombstones of its store; the purpose's reason is kept with it. */
  async remove(card: MemoryCard, purpose: Purpose): Promise<StoreWrite> {
    return this.#apply(this.#storeOf(card), purpose, undefined, (opened) =>
      opened.remove(card.file, purpose.why, this.#actor),
    );
  }

  /** Brings a removed memory back, by its name or id. */
  async restore(store: StoreRef, nameOrId: string, purpose: Purpose): Promise<StoreWrite> {
    return this.#apply(store, purpose, undefined, (opened, note) => opened.restore(nameOrId, note));
  }

  /** Gives a memory another name; links to it follow. */
  async rename(current: StoredMemory, newName: string, purpose: Purpose): Promise<StoreWrite> {
    const { card } = current;
    return this.#apply(this.#storeOf(card), purpose, current, (opened, note) =>
      opened.rename(card.file, newName, note),
    );
  }

  /** Changes files of a store in one step: settings, and what an undo puts back. */
  async changeFiles(
    store: StoreRef,
    files: FileChange[],
    purpose: Purpose & { undoes?: string },
  ): Promise<ChangeRecord> {
    this.#requireActor(purpose.kind);
    const { why, undoes } = purpose;
    const record = await writableStore(this.#place, store).change(files, {
      why,
      actor: this.#actor,
      ...(undoes !== undefined && { undoes }),
    });
    this.#place.hasChanged = true;
    return record;
  }

  /** Finishes what a writer that died had begun. */
  async recover(store: StoreRef): Promise<void> {
    await writableStore(this.#place, store).recover();
  }

  /**
   * Hands stores over to work that changes many files at once under locks of its own: a sync, a scrub. What does that
   * work is named in `scripts/layers.mjs`, beside who may use it.
   */
  async handOver<T>(
    kind: "sync" | "scrub",
    work: (open: (store: StoreRef) => MemoryStore) => Promise<T>,
  ): Promise<T> {
    this.#requireActor(kind);
    this.#place.hasChanged = true;
    return work((store) => writableStore(this.#place, store));
  }

  async #apply(
    store: StoreRef,
    { kind, why }: Purpose,
    before: StoredMemory | undefined,
    change: (opened: MemoryStore, note: { why: string; actor: Actor }) => Promise<StoreWrite>,
  ): Promise<StoreWrite> {
    this.#requireActor(kind);
    const actor = this.#actor;
    const written = await change(writableStore(this.#place, store), { why, actor });
    this.#place.hasChanged = true;
    keepReleased(this.#place, { actor, before, after: written.memory });
    return written;
  }

  #storeOf({ storeId, name }: MemoryCard): StoreRef {
    const store = this.#place.stores.find(({ id }) => id === storeId);
    if (store) return store;
    throw new HeedError("no-store", `the store of ${name} is not here any more`, { store: storeId });
  }

  #requireActor(kind: ChangeKind): void {
    const { by } = CHANGE_KINDS[kind];
    if (by === undefined || by.includes(this.#actor.kind)) return;
    throw new HeedError(
      "gate-refused",
      `a change of the kind ${kind} is ${by.join(" or ")}'s, not ${this.#actor.kind}'s`,
      { gate: "user-word", remedy: "the user makes it in a terminal" },
    );
  }

  #requireText({ kind, pass }: Purpose, before: string, after: string): void {
    const rule = CHANGE_KINDS[kind].text;
    if (rule === "gated" && pass === undefined)
      throw new HeedError("gate-refused", `a text of the kind ${kind} has not passed the gates`, {
        gate: "schema",
        remedy: "write it through the gates",
      });
    if (rule === "kept")
      throw new HeedError("gate-refused", `a change of the kind ${kind} leaves the text as it is`, {
        gate: "amendment",
        remedy: "update the memory",
      });
    if (rule === "gated" || rule === "past") return;
    const known = new Set(findSecrets(before).map(({ start, end }) => before.slice(start, end)));
    const [secret] = findSecrets(after).filter(({ start, end }) => !known.has(after.slice(start, end)));
    if (!secret) return;
    throw new HeedError(
      "gate-refused",
      `it would bring a secret into a memory (${secret.kind}): nothing is changed`,
      { gate: "secret", remedy: "say where the secret is kept, not what it is" },
    );
  }
}
