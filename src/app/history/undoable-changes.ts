import type { FileChange } from "../../store/history/change-record.ts";
import type { HistoryEntry, StoreHistory } from "../../store/history/store-history.ts";
import { planUndo } from "../../store/history/plan-undo.ts";
import type { StoreReader } from "../../store/store-reader.ts";
import { memoryIdIn } from "../../store/files/memory-path.ts";
import { CONFIG_FILE } from "../../store/config/store-config.ts";
import { openedStore } from "../place/opened-stores.ts";
import type { Place } from "../place/place.ts";
import { cleanEntries, cleanTexts, isSameMemory } from "./memory-history.ts";

/** A store with its history as it stands, and what of it nobody has taken back. */
export interface StoreChanges {
  store: StoreReader;
  history: StoreHistory;
  /** All of them, the newest first. */
  entries: HistoryEntry[];
  /** Whether a change can be taken back: heed's own, of memories, and neither an undo nor taken back. */
  isOpen: (entry: HistoryEntry) => boolean;
}

/** What takes changes back. */
export interface UndoPlanner {
  /** The files that take a change back, given what each says by then. */
  plan: (entry: HistoryEntry, read: (file: string) => string | null) => FileChange[];
  /** A text of the history. */
  textOf: (blob: string) => string | undefined;
}

/** The changes of every store that holds here. */
export async function changesOfStores(place: Place): Promise<StoreChanges[]> {
  const all: StoreChanges[] = [];
  for (const ref of place.stores) {
    const store = openedStore(place, ref);
    await store.settle();
    const history = store.history();
    const entries = await cleanEntries(place, history);
    const undone = new Set(entries.flatMap(({ undoes }) => undoes?.split(" ") ?? []));
    const isOpen = (entry: HistoryEntry): boolean =>
      entry.isOwn &&
      !entry.isMerge &&
      entry.undoes === undefined &&
      !entry.files.every(({ file }) => isSetting(file)) &&
      !undone.has(entry.id) &&
      !(entry.record !== undefined && undone.has(entry.record));
    all.push({ store, history, entries, isOpen });
  }
  return all;
}

/**
 * Plans taking back changes of one store: of each the files that do it, given what the files say by then. Texts of the
 * history come without what was scrubbed since; the identity of the store stays, and what it ignores.
 */
export async function undoPlanner(
  place: Place,
  { store, history }: StoreChanges,
  entries: readonly HistoryEntry[],
): Promise<UndoPlanner> {
  const blobs = entries.flatMap(({ files }) =>
    files.flatMap(({ before, after }) => [before, after].flatMap((blob) => blob ?? [])),
  );
  const texts = await cleanTexts(place, history, blobs);
  const textOf = (blob: string): string | undefined => texts.get(blob);
  return {
    textOf,
    plan: (entry, read) =>
      planUndo(
        { ...entry, files: entry.files.filter(({ file }) => !isSetting(file)) },
        { textOf, read, locate: (text) => locateMemory(store, text), isSameMemory },
      ),
  };
}

function isSetting(file: string): boolean {
  return file === CONFIG_FILE || file === ".gitignore";
}

/** Where the memory of a text is now, a removed one too. */
function locateMemory(store: StoreReader, text: string): string | undefined {
  const id = memoryIdIn(text);
  if (id === undefined) return undefined;
  const living = store.list().memories.find(({ card }) => card.id === id);
  return living?.card.file ?? store.listTombstones().find(({ memory }) => memory.card.id === id)?.file;
}
