import type { StoreRef } from "../memory/memory.ts";
import type { StoreReader } from "../store/store-reader.ts";
import type { Place } from "./place.ts";
import { writableStore } from "./writable-store.ts";
import type { ChangeRecord } from "../store/history/change-record.ts";
import type { HistoryEntry } from "../store/history/store-history.ts";

/** The store behind a reference, to read it. What changes one is the one writer's: `write/memory-writer.ts`. */
export function openedStore(place: Place, ref: StoreRef): StoreReader {
  return writableStore(place, ref);
}

/** One entry of the history of a store. */
export interface Change {
  /** Commit, or entry of the change journal where the store is no git repository of heed's. */
  id: string;
  time: string;
  actor: string;
  /** What and why, one line. */
  summary: string;
  files: string[];
}

/** A change just made, under the id that the history of its store has for it from now on. */
export async function changeMade(store: StoreReader, record: ChangeRecord): Promise<Change> {
  await store.reconcile();
  const made = (await store.history().entries()).find((entry) => entry.record === record.id);
  if (made) return changeOf(made);
  const { id, time, actor, summary, files } = record;
  return { id, time, actor: actor.client ?? actor.kind, summary, files: files.map(({ file }) => file) };
}

export function changeOf({ id, time, actor, summary, files }: HistoryEntry): Change {
  return { id, time, actor, summary, files: files.map(({ file }) => file) };
}
