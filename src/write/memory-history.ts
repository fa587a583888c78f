import { statSync } from "node:fs";
import { join } from "node:path";
import { type Change, changeOf, openedStore } from "../here/opened-stores.ts";
import { openCollection } from "../here/collection.ts";
import { resolveHandle } from "../here/reading/find-memory.ts";
import type { Place } from "../here/place.ts";
import { HeedError } from "../machine/heed-error.ts";
import { blobIdOf } from "../machine/blobs.ts";
import { isShortFor, plainHandle } from "../memory/handle.ts";
import { fileNameOf } from "../store/files/memory-path.ts";
import type { MemoryStep, HistoryEntry, StoreHistory } from "../store/history/store-history.ts";
import { followMemory, newestFirst } from "../store/history/store-history.ts";
import { unifiedDiff } from "../store/history/unified-diff.ts";
import type { StoreReader } from "../store/store-reader.ts";

/** The id of an edit that no history has yet: each memory may have one. */
export const UNCOMMITTED = "uncommitted";
const EDITED_OUTSIDE = "edited outside heed, in no history yet";

export async function listHistory(place: Place, handle?: string, limit = 50): Promise<Change[]> {
  if (handle !== undefined) {
    const { steps } = await stepsOf(await trackMemory(place, handle));
    return steps.slice(0, limit).map(({ entry }) => changeOf(entry));
  }
  const all = await Promise.all(
    place.stores.map(async (ref) => {
      const store = openedStore(place, ref);
      await store.reconcile();
      return store.history().entries();
    }),
  );
  return all
    .flat()
    .sort(newestFirst)
    .slice(0, limit)
    .map((entry) => changeOf(entry));
}

export async function diffMemory(place: Place, handle: string, change?: string): Promise<string> {
  const { steps, at, history } = await findStep(place, handle, change);
  const [step, newest] = [steps[at], steps[0]];
  if (!step || !newest) return "";
  const texts = await history.texts([step.before, newest.after].flatMap((side) => side?.blob ?? []));
  const textOf = (side: MemoryStep["before"]): string | null =>
    side ? (texts.get(side.blob) ?? null) : null;
  const name = (side: MemoryStep["before"]): string => side?.file ?? newest.after?.file ?? "";
  return unifiedDiff(textOf(step.before), textOf(newest.after), {
    before: name(step.before),
    after: name(newest.after),
  });
}

/** The changes of one memory, and the place among them of that of the id; default: the newest. */
export async function findStep(place: Place, handle: string, change?: string): Promise<FoundStep> {
  const tracked = await trackMemory(place, handle);
  const { steps, history } = await stepsOf(tracked);
  const entries = steps.map(({ entry }) => entry);
  return { steps, at: change === undefined ? 0 : findEntry(entries, change), history, store: tracked.store };
}

type FoundStep = { steps: MemoryStep[]; at: number; history: StoreHistory; store: StoreReader };

/** The position of the change of that id, or unique beginning of an id; -1 (or `not-found`) when there is none. */
export function findEntry(entries: readonly HistoryEntry[], id: string, isNeeded = true): number {
  const wanted = id.trim();
  const exact = entries.findIndex((entry) => entry.id === wanted || entry.record === wanted);
  if (exact >= 0) return exact;
  const beginning = wanted.toLowerCase();
  const begins = (whole: string | undefined): boolean => whole?.toLowerCase().startsWith(beginning) ?? false;
  const found = entries.flatMap(({ id: own, record }, index) =>
    wanted.length >= 4 && (begins(own) || begins(record)) ? [index] : [],
  );
  if (found.length > 1) {
    throw new HeedError("ambiguous", `several changes begin with "${wanted}": give more of the id`, {
      handle: id,
      candidates: found.map((index) => entries[index]?.id),
    });
  }
  if (found[0] === undefined && isNeeded) {
    throw new HeedError("not-found", `no change of this memory is called "${id}": \`heed log\` lists them`, {
      handle: id,
      suggestions: [],
    });
  }
  return found[0] ?? -1;
}

async function stepsOf({
  store,
  file,
}: TrackedMemory): Promise<{ steps: MemoryStep[]; history: StoreHistory }> {
  await store.reconcile();
  const history = store.history();
  const entries = await history.entries();
  const steps = await followMemory(entries, file, (blobs) => history.texts(blobs));
  const text = store.read(file).text;
  const blob = text === undefined ? undefined : blobIdOf(text);
  const last = steps[0]?.after ?? null;
  if (text === undefined || blob === undefined || last?.blob === blob) return { steps, history };
  history.know(text);
  const entry: HistoryEntry = {
    id: UNCOMMITTED,
    record: undefined,
    time: (
      statSync(join(store.ref.root, file), { throwIfNoEntry: false })?.mtime ?? new Date(0)
    ).toISOString(),
    actor: "person",
    by: "person",
    session: undefined,
    summary: EDITED_OUTSIDE,
    files: [{ file, before: last?.blob ?? null, after: blob }],
    undoes: undefined,
    isMerge: false,
    // Of one that was in no history before, nothing could be put back.
    isOwn: last !== null,
  };
  return { steps: [{ entry, before: last, after: { file, blob } }, ...steps], history };
}

interface TrackedMemory {
  store: StoreReader;
  file: string;
}

async function trackMemory(place: Place, handle: string): Promise<TrackedMemory> {
  const collection = await openCollection(place, { thoroughness: "full" });
  try {
    const metadata = resolveHandle(collection, handle);
    return { store: openedStore(place, collection.storeOf(metadata)), file: metadata.file };
  } catch (error) {
    const removed =
      error instanceof HeedError && error.code === "not-found" ? findRemoved(place, handle) : undefined;
    if (!removed) throw error;
    return removed;
  }
}

function findRemoved(place: Place, handle: string): TrackedMemory | undefined {
  const wanted = plainHandle(handle);
  for (const ref of place.stores) {
    const store = openedStore(place, ref);
    const found = store
      .listTombstones()
      .find(
        ({ memory: { metadata } }) =>
          metadata.name === wanted ||
          metadata.id === wanted ||
          isShortFor(wanted, metadata.name) ||
          (wanted !== "" && safeNameOf(metadata.name) === wanted),
      );
    if (found) return { store, file: found.file };
  }
  return undefined;
}

function safeNameOf(name: string): string {
  try {
    return fileNameOf(name);
  } catch {
    return name;
  }
}
