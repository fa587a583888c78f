import type { Problem } from "../machine/heed-error.ts";
import type { StoreRef } from "../memory/memory.ts";
import type { StoredMemory, StoreScan } from "./files/scan-store.ts";
import type { Tombstone } from "./files/tombstone.ts";
import type { ChangeRecord } from "./history/change-record.ts";
import type { StoreHistory } from "./history/store-history.ts";

export interface StoreWrite {
  /** The change in the store's history; undefined when nothing had to change. */
  change: ChangeRecord | undefined;
  /** Path of the memory's file after the change, relative to the store's root (of the tombstone, for a removal). */
  file: string;
  memory: StoredMemory;
  /** The text of the memory's file before and after; null: there was none. */
  before: string | null;
  after: string;
}

export interface StoreReader {
  readonly ref: StoreRef;

  /** Reads one memory with its file's text; undefined text: no such file. */
  read(file: string): { memory: StoredMemory | undefined; text: string | undefined; problems: Problem[] };
  list(): StoreScan;
  listTombstones(): Tombstone[];

  /** The changes of the store and the texts that they were made of; settle first. */
  history(): StoreHistory;
  /** Brings generated files and git history up to date. Started by each change; await it before reading history. */
  reconcile(): Promise<Problem[]>;
  /**
   * Brings in a team store's changes from its server; nothing for others. Parameters as for SharedLog's `pull`.
   * @throws HeedError `unreachable`; `no-store` when the server has it no more for this person.
   */
  refresh(untilMs?: number, found?: ReadonlyMap<string, string>): Promise<void>;
  /** Waits for what was started after changes made here; does nothing where none were made. */
  finish(): Promise<Problem[]>;
}
