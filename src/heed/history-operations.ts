import { statSync } from "node:fs";
import { join } from "node:path";
import type { Actor } from "../memory/actor.ts";
import { HeedError } from "../memory/heed-error.ts";
import type { MemoryCard } from "../memory/memory-card.ts";
import type { TypeTable } from "../memory/memory-type.ts";
import { redactSecrets } from "../memory/redact-secrets.ts";
import { takesForce } from "../memory/takes-force.ts";
import { memoryIdIn } from "../store/memory-id-in.ts";
import { blameLines } from "../store/blame-lines.ts";
import type { MemoryStep } from "../store/follow-memory.ts";
import { followMemory, lineage } from "../store/follow-memory.ts";
import { blobIdOf } from "../store/git-blob.ts";
import type { ChangeRecord, FileChange } from "../store/change-record.ts";
import type { HistoryEntry } from "../store/history-entry.ts";
import type { MemoryStore } from "../store/memory-store.ts";
import { planUndo } from "../store/plan-undo.ts";
import type { StoreHistory } from "../store/store-history.ts";
import { parseMemoryFile } from "../store/scan-store.ts";
import { CONFIG_FILE } from "../store/store-config.ts";
import { unifiedDiff } from "../store/unified-diff.ts";
import { openedStore } from "./opened-stores.ts";
import type { TrackedMemory } from "./tracked-memory.ts";
import { trackMemory } from "./tracked-memory.ts";
import type { Workspace } from "./workspace.ts";
import type { BlameLine, Change } from "./writing-api.ts";

/** What a file of a store that is no repository of heed's own says beyond its history. */
const UNCOMMITTED = "edited outside heed, in no history yet";

/** Changes of one memory, followed through renames and removals, or of all stores; newest first. */
export async function listHistory(workspace: Workspace, handle?: string, limit = 50): Promise<Change[]> {
  if (handle !== undefined) {
    const { steps } = await stepsOf(await trackMemory(workspace, handle));
    return steps.slice(0, limit).map(({ entry }) => changeOf(entry));
  }
  const all = await Promise.all(
    workspace.find().stores.map(async (ref) => {
      const store = openedStore(workspace, ref);
      await store.settle();
      return store.history().entries();
    }),
  );
  return all.flat().sort(newestFirst).slice(0, limit).map(changeOf);
}

/** Each line of a memory's file with the change that brought it. */
export async function blameMemory(workspace: Workspace, handle: string): Promise<BlameLine[]> {
  const { steps, history } = await stepsOf(await trackMemory(workspace, handle));
  const line = lineage(steps).toReversed();
  const texts = await history.texts(line.flatMap(({ after }) => after?.blob ?? []));
  const versions = line.flatMap(({ entry, after }) => {
    const text = after === null ? undefined : texts.get(after.blob);
    return text === undefined ? [] : [{ text, version: changeOf(entry) }];
  });
  return blameLines(versions).map(({ text, version }, index) => ({
    line: index + 1,
    text: redactSecrets(text),
    change: version,
  }));
}

/** Unified diff of a memory as it is against its state before a change; default: before its last change. */
export async function diffMemory(workspace: Workspace, handle: string, change?: string): Promise<string> {
  const { steps, history } = await stepsOf(await trackMemory(workspace, handle));
  const step =
    change === undefined
      ? steps[0]
      : steps[
          findEntry(
            steps.map(({ entry }) => entry),
            change,
          )
        ];
  const newest = steps[0];
  if (!step || !newest) return "";
  const texts = await history.texts([step.before, newest.after].flatMap((side) => side?.blob ?? []));
  const textOf = (side: MemoryStep["before"]): string | null =>
    side ? (texts.get(side.blob) ?? null) : null;
  const name = (side: MemoryStep["before"]): string => side?.file ?? newest.after?.file ?? "";
  const diff = unifiedDiff(textOf(step.before), textOf(newest.after), {
    before: name(step.before),
    after: name(newest.after),
  });
  return redactSecrets(diff);
}

/**
 * Takes a change back as a change of its own. Default: the last one of a memory that is no undo itself and was not
 * undone, so that one undo after the other walks back. What was edited outside heed is taken back by its id only: a
 * bare undo must not throw away the work of an editor.
 *
 * @throws HeedError `conflict` when later changes touch the same lines; `not-found`; `invalid-input` for a change that
 *   is not heed's to take back.
 */
export async function undoChange(
  workspace: Workspace,
  change: string | undefined,
  actor: Actor,
): Promise<Change> {
  const { store, entry, history } = await findUndoable(workspace, change);
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
  const texts = await history.texts(blobs);
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
  if (actor.kind !== "person") requireFree(store, entry, files, workspace.find().types);
  const record = await store.change(files, {
    why: `undo: ${entry.summary}`,
    actor,
    undoes: entry.record ?? entry.id,
  });
  return changeMade(store, record);
}

/**
 * What a person did to a rule is taken back by a person; a guard always is.
 *
 * @throws HeedError `gate-refused`.
 */
function requireFree(
  { ref }: MemoryStore,
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

/** A change just made, under the id that the history of its store has for it from now on. */
export async function changeMade(store: MemoryStore, record: ChangeRecord): Promise<Change> {
  await store.settle();
  const made = (await store.history().entries()).find((entry) => entry.record === record.id);
  if (made) return changeOf(made);
  const { id, time, actor, summary, files } = record;
  return { id, time, actor: actor.client ?? actor.kind, summary, files: files.map(({ file }) => file) };
}

/** The identity of a store stays, and what it ignores. */
function withoutSettings(entry: HistoryEntry): HistoryEntry {
  return { ...entry, files: entry.files.filter(({ file }) => !isSetting(file)) };
}

function isSetting(file: string): boolean {
  return file === CONFIG_FILE || file === ".gitignore";
}

async function findUndoable(
  workspace: Workspace,
  change: string | undefined,
): Promise<{ store: MemoryStore; entry: HistoryEntry; history: StoreHistory }> {
  const candidates: { store: MemoryStore; entry: HistoryEntry; history: StoreHistory }[] = [];
  for (const ref of workspace.find().stores) {
    const store = openedStore(workspace, ref);
    await store.settle();
    const history = store.history();
    const entries = await history.entries();
    const undone = new Set(entries.flatMap(({ undoes }) => undoes ?? []));
    const isOpen = (entry: HistoryEntry): boolean =>
      entry.isOwn &&
      !entry.isMerge &&
      // What heed notes about a session by itself stands in nobody's way; it is undone by its id.
      !(entry.files.length > 0 && entry.files.every(({ file }) => file.startsWith("episodes/"))) &&
      entry.undoes === undefined &&
      !entry.files.every(({ file }) => isSetting(file)) &&
      !undone.has(entry.id) &&
      !(entry.record !== undefined && undone.has(entry.record));
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

/** The position of the change of that id, or unique beginning of an id; -1 (or `not-found`) when there is none. */
function findEntry(entries: readonly HistoryEntry[], id: string, isNeeded = true): number {
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
  await store.settle();
  const history = store.history();
  const entries = await history.entries();
  const steps = await followMemory(entries, file, async (one, other) => {
    const texts = await history.texts([one, other]);
    return isSameMemory(texts.get(one) ?? "", texts.get(other) ?? "");
  });
  const text = store.read(file).text;
  const blob = text === undefined ? undefined : blobIdOf(text);
  const last = steps[0]?.after ?? null;
  if (text === undefined || blob === undefined || last?.blob === blob) return { steps, history };
  history.know(text);
  const entry: HistoryEntry = {
    id: "uncommitted",
    record: undefined,
    time: (
      statSync(join(store.ref.root, file), { throwIfNoEntry: false })?.mtime ?? new Date(0)
    ).toISOString(),
    actor: "person",
    summary: UNCOMMITTED,
    files: [{ file, before: last?.blob ?? null, after: blob }],
    undoes: undefined,
    isMerge: false,
    isOwn: false,
  };
  return { steps: [{ entry, before: last, after: { file, blob } }, ...steps], history };
}

/** Two texts are of one memory when they give the same id, or, where one gives none, much the same text. */
function isSameMemory(one: string, other: string): boolean {
  const [id, otherId] = [memoryIdIn(one), memoryIdIn(other)];
  if (id !== undefined && otherId !== undefined) return id === otherId;
  const lines = new Set(one.split("\n").filter((line) => line.trim().length > 3));
  const others = other.split("\n").filter((line) => line.trim().length > 3);
  const common = others.filter((line) => lines.has(line)).length;
  return common * 2 > Math.max(lines.size, others.length);
}

function locateMemory(store: MemoryStore, text: string): string | undefined {
  const id = memoryIdIn(text);
  if (id === undefined) return undefined;
  const living = store.list().memories.find(({ card }) => card.id === id);
  return living?.card.file ?? store.listTombstones().find(({ memory }) => memory.card.id === id)?.file;
}

function newestFirst(a: { time: string }, b: { time: string }): number {
  return a.time < b.time ? 1 : a.time > b.time ? -1 : 0;
}

function changeOf({ id, time, actor, summary, files }: HistoryEntry): Change {
  return { id, time, actor, summary, files: files.map(({ file }) => file) };
}
