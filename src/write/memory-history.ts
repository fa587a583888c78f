import { join } from "node:path";
import { type Change, changeOf, openedStore } from "../here/opened-stores.ts";
import { openCollection } from "../here/collection.ts";
import { resolveHandle } from "../here/reading/find-memory.ts";
import type { Place } from "../here/place.ts";
import { HeedError, notFound } from "../machine/heed-error.ts";
import { statIfThere } from "../machine/regular-file.ts";
import { blobIdOf } from "../machine/blobs.ts";
import { isShortFor, plainHandle, slugOf } from "../memory/handle.ts";
import type { Tombstone } from "../store/files/tombstone.ts";
import type { MemoryStep, HistoryEntry, StoreHistory } from "../store/history/store-history.ts";
import { followMemory, newestFirst } from "../store/history/store-history.ts";
import { unifiedDiff } from "../store/history/unified-diff.ts";
import type { StoreReader } from "../store/store-reader.ts";

/** The id of an edit that no history has yet: each memory may have one. */
export const UNCOMMITTED = "uncommitted";
const EDITED_OUTSIDE = "edited outside heed, in no history yet";

export async function listHistory(
  place: Place,
  request: { handle?: string | undefined; limit?: number | undefined } = {},
): Promise<Change[]> {
  const { handle, limit = 50 } = request;
  const entries =
    handle === undefined
      ? (await historiesOf(place)).flatMap((one) => one.entries).sort(newestFirst)
      : (await findStep(place, handle)).steps.map(({ entry }) => entry);
  return entries.slice(0, limit).map((entry) => changeOf(entry));
}

export interface History {
  store: StoreReader;
  history: StoreHistory;
  entries: HistoryEntry[];
}

export async function historiesOf(place: Place): Promise<History[]> {
  return Promise.all(place.stores.map((ref) => historyOf(openedStore(place, ref))));
}

async function historyOf(store: StoreReader): Promise<History> {
  await store.reconcile();
  const history = store.history();
  return { store, history, entries: await history.entries() };
}

export async function diffMemory(
  place: Place,
  handle: string,
  options: { change?: string | undefined } = {},
): Promise<string> {
  const { steps, at, history } = await findStep(place, handle, options.change);
  const [step, newest] = [steps[at], steps[0]];
  if (!step || !newest) return "";
  const texts = await history.texts([step.before, newest.after].flatMap((side) => side?.blob ?? []));
  const [before, after] = [step.before, newest.after];
  const textOf = (side: MemoryStep["before"]): string | null => texts.get(side?.blob ?? "") ?? null;
  const name = after?.file ?? "";
  return unifiedDiff(textOf(before), textOf(after), { before: before?.file ?? name, after: name });
}

/** The changes of one memory, newest first, with an edit that no history has yet, and the position of the one asked for. */
export async function findStep(
  place: Place,
  handle: string,
  change?: string,
): Promise<Pick<History, "store" | "history"> & { steps: MemoryStep[]; at: number }> {
  const { store, file } = await trackMemory(place, handle);
  const { history, entries } = await historyOf(store);
  const steps = await followMemory(entries, file, (blobs) => history.texts(blobs));
  const text = store.read(file).text;
  const blob = text === undefined ? undefined : blobIdOf(text);
  const before = steps[0]?.after ?? null;
  if (text !== undefined && blob !== undefined && before?.blob !== blob) {
    history.know(text);
    const entry: HistoryEntry = {
      id: UNCOMMITTED,
      record: undefined,
      time: (statIfThere(join(store.ref.root, file))?.mtime ?? new Date(0)).toISOString(),
      actor: "person",
      by: "person",
      session: undefined,
      summary: EDITED_OUTSIDE,
      files: [{ file, before: before?.blob ?? null, after: blob }],
      undoes: undefined,
      isMerge: false,
      // Of one that was in no history before, nothing could be put back.
      isOwn: before !== null,
    };
    steps.unshift({ entry, before, after: { file, blob } });
  }
  const known = steps.map(({ entry }) => entry);
  return { store, history, steps, at: change === undefined ? 0 : findEntry(known, change) };
}

/** The position of the change of that id, or unique beginning of an id; -1 (or `not-found`) when there is none. */
export function findEntry(entries: readonly HistoryEntry[], id: string, isNeeded = true): number {
  const wanted = id.trim().toLowerCase();
  const ids = entries.map(({ id: own, record = own }) => [own, record].map((one) => one.toLowerCase()));
  const exact = ids.findIndex((both) => both.includes(wanted));
  if (exact >= 0) return exact;
  const [first = -1, ...others] = ids.flatMap((both, at) =>
    wanted.length >= 4 && both.some((one) => one.startsWith(wanted)) ? at : [],
  );
  if (others.length > 0) {
    const candidates = [first, ...others].map((at) => entries[at]?.id);
    const message = `several changes begin with "${wanted}": give more of the id`;
    throw new HeedError("ambiguous", message, { handle: id, candidates });
  }
  if (first < 0 && isNeeded)
    throw notFound(id, `no change of this memory is called "${id}": \`heed undo --list\` lists them`);
  return first;
}

async function trackMemory(place: Place, handle: string): Promise<Pick<RemovedMemory, "store" | "file">> {
  const collection = await openCollection(place, { thoroughness: "full" });
  try {
    const metadata = resolveHandle(collection, handle);
    return { store: openedStore(place, collection.storeOf(metadata)), file: metadata.file };
  } catch (error) {
    const isUnknown = error instanceof HeedError && error.code === "not-found";
    const removed = isUnknown ? findRemoved(removedMemories(place), handle) : undefined;
    if (!removed) throw error;
    return removed;
  }
}

export interface RemovedMemory extends Tombstone {
  store: StoreReader;
}

export function removedMemories(place: Place): RemovedMemory[] {
  return place.stores
    .flatMap((ref) => {
      const store = openedStore(place, ref);
      return store.listTombstones().map((tombstone) => ({ store, ...tombstone }));
    })
    .sort((a, b) => b.removed.localeCompare(a.removed));
}

export function findRemoved(removed: readonly RemovedMemory[], handle: string): RemovedMemory | undefined {
  const wanted = plainHandle(handle);
  return removed.find(
    ({ memory: { metadata } }) =>
      metadata.name === wanted ||
      metadata.name === slugOf(wanted) ||
      isShortFor(wanted, metadata.name) ||
      metadata.id === wanted.toUpperCase(),
  );
}
