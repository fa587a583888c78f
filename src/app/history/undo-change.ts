import { Inbox } from "../../curate/inbox.ts";
import type { Actor } from "../../memory/actor.ts";
import { HeedError } from "../../errors/heed-error.ts";
import type { MemoryCard } from "../../memory/memory-card.ts";
import type { TypeTable } from "../../memory/memory-type.ts";
import { takesForce } from "../../memory/takes-force.ts";
import type { FileChange } from "../../store/history/change-record.ts";
import type { HistoryEntry } from "../../store/history/history-entry.ts";
import { contentHashOf } from "../../store/files/content-hash.ts";
import { memoryIdIn } from "../../store/files/memory-id-in.ts";
import type { StoreReader } from "../../store/store-reader.ts";
import { planUndo } from "../../store/history/plan-undo.ts";
import { parseMemoryFile } from "../../store/files/scan-store.ts";
import { ScrubbedValues } from "../../store/scrub/scrubbed-values.ts";
import { CONFIG_FILE } from "../../store/config/store-config.ts";
import type { StoreHistory } from "../../store/history/store-history.ts";
import { changeMade } from "../place/change-made.ts";
import { cleanTexts, findEntry, isSameMemory, newestFirst } from "./memory-history.ts";
import { MemoryWriter } from "../writing/memory-writer.ts";
import { openedStore } from "../place/opened-stores.ts";
import type { Place } from "../place/place.ts";
import type { Change } from "../api/history.ts";

/**
 * Takes a change back as a change of its own. Default: the last one of a memory that is no undo itself and was not
 * undone, so that one undo after the other walks back. What was edited outside heed is taken back by its id only: a
 * bare undo must not throw away the work of an editor.
 *
 * @throws HeedError `conflict` when later changes touch the same lines; `not-found`; `invalid-input` for a change that
 *   is not heed's to take back.
 */
export async function undoChange(place: Place, change: string | undefined, actor: Actor): Promise<Change> {
  const { store, entry, history } = await findUndoable(place, change);
  if (!entry.isOwn) {
    throw new HeedError(
      "invalid-input",
      `${entry.id.slice(0, 12)} is a commit of the repository around the store: take it back with git revert`,
      { argument: "change", value: change },
    );
  }
  if (entry.isMerge) {
    throw new HeedError(
      "invalid-input",
      `${entry.id.slice(0, 12)} brought two histories together: undo the single changes that it brought`,
      { argument: "change", value: change },
    );
  }
  if (change === undefined && entry.record === undefined) {
    const id = entry.id.slice(0, 10);
    throw new HeedError(
      "invalid-input",
      `the last change was not made by heed (${entry.summary}): \`heed undo ${id}\` takes it back`,
      { argument: "change", value: entry.id },
    );
  }
  const blobs = entry.files.flatMap(({ before, after }) => [before, after].flatMap((blob) => blob ?? []));
  const texts = await cleanTexts(place, history, blobs);
  const files = planUndo(withoutSettings(entry), {
    textOf: (blob) => texts.get(blob),
    read: (file) => store.read(file).text ?? null,
    locate: (text) => locateMemory(store, text),
    isSameMemory,
  });
  if (files.length === 0) {
    throw new HeedError(
      "invalid-input",
      `"${entry.summary}" changed no memory that could be put back as it was`,
      { argument: "change", value: entry.id },
    );
  }
  if (actor.kind !== "person") requireFree(store, entry, files, place.types);
  const record = await new MemoryWriter(place, actor).changeFiles(store.ref, files, {
    kind: "undo",
    why: `undo: ${new ScrubbedValues(place.places).clean(entry.summary)}`,
    undoes: entry.record ?? entry.id,
  });
  // What was confirmed by it waits again.
  const inbox = new Inbox(place.places, place.types);
  for (const { after } of entry.undoes === undefined ? entry.files : []) {
    const text = after === null ? undefined : texts.get(after);
    if (typeof text === "string") inbox.giveBack(contentHashOf(text));
  }
  return changeMade(store, record);
}

/**
 * What a person did to a rule is taken back by a person; a guard always is.
 *
 * @throws HeedError `gate-refused`.
 */
export function requireFree(
  { ref }: StoreReader,
  entry: HistoryEntry,
  files: readonly FileChange[],
  types: TypeTable,
): void {
  const cardOf = (file: string, text: string | null): MemoryCard | undefined =>
    text === null ? undefined : parseMemoryFile(ref, file, text, types).memory?.card;
  for (const { file, before, after } of files) {
    const cards = [cardOf(file, before), cardOf(file, after)];
    const rule = cards.find((card) => card && takesForce(card, types));
    const [one, other] = cards.map((card) => JSON.stringify(card?.guard));
    if (!rule || (one === other && entry.actor !== "person")) continue;
    throw new HeedError(
      "gate-refused",
      `"${entry.summary}" changed ${rule.guard === undefined ? "a rule" : "a guard"} (${rule.name}) by the user's word: only they take it back, with heed undo ${entry.id.slice(0, 10)} in a terminal`,
      { gate: "user-word", remedy: `the user runs heed undo ${entry.id.slice(0, 10)} in a terminal` },
    );
  }
}

/** The identity of a store stays, and what it ignores. */
export function withoutSettings(entry: HistoryEntry): HistoryEntry {
  return { ...entry, files: entry.files.filter(({ file }) => !isSetting(file)) };
}

function isSetting(file: string): boolean {
  return file === CONFIG_FILE || file === ".gitignore";
}

/** What was taken back, by the ids of records and commits. */
export function undoneBy(entries: readonly HistoryEntry[]): ReadonlySet<string> {
  return new Set(entries.flatMap(({ undoes }) => undoes?.split(" ") ?? []));
}

/** Whether a change can be taken back: heed's own, of memories, and neither an undo nor taken back. */
export function isOpenChange(entry: HistoryEntry, undone: ReadonlySet<string>): boolean {
  return (
    entry.isOwn &&
    !entry.isMerge &&
    entry.undoes === undefined &&
    !entry.files.every(({ file }) => isSetting(file)) &&
    !undone.has(entry.id) &&
    !(entry.record !== undefined && undone.has(entry.record))
  );
}

async function findUndoable(
  place: Place,
  change: string | undefined,
): Promise<{ store: StoreReader; entry: HistoryEntry; history: StoreHistory }> {
  const candidates: { store: StoreReader; entry: HistoryEntry; history: StoreHistory }[] = [];
  for (const ref of place.stores) {
    const store = openedStore(place, ref);
    await store.settle();
    const history = store.history();
    const entries = await history.entries();
    const undone = undoneBy(entries);
    const isOpen = (entry: HistoryEntry): boolean =>
      // What heed notes about a session by itself stands in nobody's way; it is undone by its id.
      isOpenChange(entry, undone) &&
      !(entry.files.length > 0 && entry.files.every(({ file }) => file.startsWith("episodes/")));
    const entry = change === undefined ? entries.find(isOpen) : entries[findEntry(entries, change, false)];
    if (entry) candidates.push({ store, entry, history });
  }
  candidates.sort((a, b) => newestFirst(a.entry, b.entry));
  const [found] = candidates;
  if (found) return found;
  const message =
    change === undefined
      ? "there is no change to take back"
      : `no change is called "${change}": \`heed log\` lists them`;
  throw new HeedError("not-found", message, { handle: change, suggestions: [] });
}

/** Where the memory of a text is now, a removed one too. */
export function locateMemory(store: StoreReader, text: string): string | undefined {
  const id = memoryIdIn(text);
  if (id === undefined) return undefined;
  const living = store.list().memories.find(({ card }) => card.id === id);
  return living?.card.file ?? store.listTombstones().find(({ memory }) => memory.card.id === id)?.file;
}
