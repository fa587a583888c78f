import { Inbox } from "../../curate/inbox.ts";
import type { Actor } from "../../memory/actor.ts";
import { HeedError } from "../../errors/heed-error.ts";
import type { MemoryCard } from "../../memory/memory-card.ts";
import type { TypeTable } from "../../memory/memory-type.ts";
import { takesForce } from "../../memory/takes-force.ts";
import type { FileChange } from "../../store/history/change-record.ts";
import type { HistoryEntry } from "../../store/history/history-entry.ts";
import { contentHashOf } from "../../store/files/content-hash.ts";
import type { StoreReader } from "../../store/store-reader.ts";
import { parseMemoryFile } from "../../store/files/scan-store.ts";
import { changeMade } from "../place/change-made.ts";
import { openCollection } from "../place/collection.ts";
import { isTakenBack } from "../writing/taken-back.ts";
import { findEntry, newestFirst } from "./memory-history.ts";
import type { StoreChanges } from "./undoable-changes.ts";
import { changesOfStores, undoPlanner } from "./undoable-changes.ts";
import { MemoryWriter } from "../writing/memory-writer.ts";
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
  const { entry, of } = await findUndoable(place, change);
  const { store } = of;
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
  const { plan, textOf } = await undoPlanner(place, of, [entry]);
  const files = plan(entry, (file) => store.read(file).text ?? null);
  if (files.length === 0) {
    throw new HeedError(
      "invalid-input",
      `"${entry.summary}" changed no memory that could be put back as it was`,
      { argument: "change", value: entry.id },
    );
  }
  if (actor.kind !== "person") requireFree(store, entry, files, await authority(place, actor));
  const record = await new MemoryWriter(place, actor).changeFiles(store.ref, files, {
    kind: "undo",
    why: `undo: ${entry.summary}`,
    undoes: entry.record ?? entry.id,
  });
  // What was confirmed by it waits again.
  const inbox = new Inbox(place.places, place.types);
  for (const { after } of entry.undoes === undefined ? entry.files : []) {
    const text = after === null ? undefined : textOf(after);
    if (typeof text === "string") inbox.giveBack(contentHashOf(text));
  }
  return changeMade(store, record);
}

/** By whose word rules may go out of force. */
export interface Authority {
  types: TypeTable;
  isTakenBack: (card: MemoryCard) => boolean;
}

/** What an actor may take back by the user's word. */
export async function authority(place: Place, actor: Actor): Promise<Authority> {
  const collection = await openCollection(place, { thoroughness: "full" });
  return { types: place.types, isTakenBack: (card) => isTakenBack(place, actor, card, collection) };
}

/**
 * What a person did to a rule is taken back by a person; a guard always is; and a rule that would be gone, or say something
 * else, by the user's word alone.
 *
 * @throws HeedError `gate-refused`.
 */
export function requireFree(
  { ref }: StoreReader,
  entry: HistoryEntry,
  files: readonly FileChange[],
  { types, isTakenBack: isFree }: Authority,
): void {
  const cardOf = (file: string, text: string | null): MemoryCard | undefined =>
    text === null ? undefined : parseMemoryFile(ref, file, text, types).memory?.card;
  for (const { file, before, after } of files) {
    const cards = [cardOf(file, before), cardOf(file, after)];
    const rule = cards.find((card) => card && takesForce(card, types));
    const [one, other] = cards.map((card) => JSON.stringify(card?.guard));
    if (!rule) continue;
    const [now, then] = cards;
    const isOfPerson = one !== other || entry.actor === "person";
    if (!isOfPerson && (!now || !takesForce(now, types) || holdsAsBefore(now, then) || isFree(now))) continue;
    throw new HeedError(
      "gate-refused",
      `"${entry.summary}" changed ${rule.guard === undefined ? "a rule" : "a guard"} (${rule.name}) by the user's word: only they take it back${isOfPerson ? "" : ", by saying so in this session"}, or with heed undo ${entry.id.slice(0, 10)} in a terminal`,
      { gate: "user-word", remedy: `the user runs heed undo ${entry.id.slice(0, 10)} in a terminal` },
    );
  }
}

/** Whether a rule says what it said, where and when it held. */
function holdsAsBefore(now: MemoryCard, then: MemoryCard | undefined): boolean {
  const held = (card: MemoryCard): string =>
    JSON.stringify([card.type, card.description, card.status === "superseded", card.scope, card.expires]);
  return then !== undefined && held(now) === held(then);
}

async function findUndoable(
  place: Place,
  change: string | undefined,
): Promise<{ entry: HistoryEntry; of: StoreChanges }> {
  const candidates = (await changesOfStores(place)).flatMap((of) => {
    const { entries, isOpen } = of;
    const isNext = (entry: HistoryEntry): boolean =>
      isOpen(entry) &&
      // What heed notes about a session by itself stands in nobody's way; it is undone by its id.
      !(entry.files.length > 0 && entry.files.every(({ file }) => file.startsWith("episodes/")));
    const entry = change === undefined ? entries.find(isNext) : entries[findEntry(entries, change, false)];
    return entry ? [{ entry, of }] : [];
  });
  candidates.sort((a, b) => newestFirst(a.entry, b.entry));
  const [found] = candidates;
  if (found) return found;
  const message =
    change === undefined
      ? "there is no change to take back"
      : `no change is called "${change}": \`heed log\` lists them`;
  throw new HeedError("not-found", message, { handle: change, suggestions: [] });
}
