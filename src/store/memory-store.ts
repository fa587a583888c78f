import type { Actor, Memory, NewMemory } from "../memory/memory.ts";
import type { MemoryAmendment } from "../memory/codec/amend-memory.ts";
import type { ChangeNote, ChangeRecord, FileChange } from "./history/change-record.ts";
import type { StoredMemory } from "./files/scan-store.ts";
import type { StoreReader } from "./store-reader.ts";

/** What came of a change of one memory. */
export interface StoreWrite {
  /** The id under which the change is in the store's history; undefined when nothing had to change. */
  change: ChangeRecord | undefined;
  /** Path of the memory's file after the change, relative to the store's root (of the tombstone, for a removal). */
  file: string;
  /** The memory after the change. */
  memory: StoredMemory;
  /** The text of the memory's file before and after; null: there was none. */
  before: string | null;
  after: string;
}

/**
 * One store of memories, with what changes it. All methods that write wait for the store's lock (HeedError `locked`), are
 * refused with `read-only` where heed may not write, leave nothing torn (`io-failed`), and never write over what somebody
 * else wrote since it was read (`changed-outside`).
 *
 * Every implementation runs the acceptance suite in test/store/memory-store-suite.ts.
 */
export interface MemoryStore extends StoreReader {
  /**
   * Adds a memory under a name that no other memory of the store has.
   * @throws HeedError `changed-outside` when there is one (it may have been made since the caller looked).
   */
  create(memory: Memory, note: ChangeNote): Promise<StoreWrite>;
  /**
   * Adds many memories as one change, each under a name that no other memory of the store, nor of these, has; one with a
   * `removal` as a tombstone.
   * @throws HeedError `changed-outside` when there is one; then none of them is added.
   */
  createAll(memories: readonly NewMemory[], note: ChangeNote): Promise<StoreWrite[]>;
  /**
   * Changes a memory: to a whole new text, or by fields. A change of type moves the file to that type's folder; the
   * name is changed by `rename` only.
   * @param expectedHash the content hash that the caller read; refused when the file has another one by now.
   */
  amend(
    file: string,
    edit: string | MemoryAmendment,
    expectedHash: string,
    note: ChangeNote,
  ): Promise<StoreWrite>;
  /** Moves a memory to the tombstones, with the reason. */
  remove(file: string, reason: string, actor: Actor): Promise<StoreWrite>;
  /**
   * Moves a memory to the tombstones and gives what it was found by to the one that says the same, in one change: no
   * reader finds neither, and one undo takes it back. Resolves to the one that stays.
   * @throws HeedError `changed-outside` when either is not as it was read.
   */
  merge(
    duplicate: StoredMemory,
    into: StoredMemory,
    edit: MemoryAmendment,
    note: ChangeNote,
  ): Promise<StoreWrite>;
  /**
   * Brings a removed memory back, by its name or id; of several of that name the one removed last.
   * @throws HeedError `not-found`; `changed-outside` when a memory of that name has come in its place.
   */
  restore(nameOrId: string, note: ChangeNote): Promise<StoreWrite>;
  /** Gives a memory another name; its file moves, and links by name in the same store follow. */
  rename(file: string, newName: string, note: ChangeNote): Promise<StoreWrite>;
  /** Changes several files in one step: all of them or none. */
  change(files: FileChange[], note: ChangeNote & ChangeTrace): Promise<ChangeRecord>;

  /** Finishes what a writer that died had begun, as the next write would: for whoever plans by what is there. */
  recover(): Promise<void>;
}

/** How a change of several files refers to other changes. */
export interface ChangeTrace {
  /** The change that it takes back. */
  undoes?: string;
  /** The commit that it brings in. */
  merges?: string;
}
