import { inboxOf } from "../here/consent/inbox.ts";
import { basename } from "node:path";
import { type Change, changeMade, changeOf } from "../here/opened-stores.ts";
import type { Place } from "../here/place.ts";
import { requireMayWrite } from "./write-consent.ts";
import { MemoryWriter } from "./memory-writer.ts";
import { type History, findEntry, findStep, historiesOf, UNCOMMITTED } from "./memory-history.ts";
import { HeedError, invalidInput, notFound, refusedBy } from "../machine/heed-error.ts";
import { type Actor, isMemoryFile } from "../memory/memory.ts";
import { type TypeTable, isPersonal, takesForce } from "../memory/memory-type.ts";
import { CONFIG_FILE } from "../store/config/store-config.ts";
import { TOMBSTONE_FOLDER } from "../store/files/tombstone.ts";
import { memoryIdIn, type StoredMemory, contentHashOf, parseMemoryFile } from "../store/files/scan-store.ts";
import type { FileChange } from "../store/history/change-record.ts";
import { type FileSides, stepsOf } from "../store/history/find-moves.ts";
import { planUndo } from "../store/history/plan-undo.ts";
import { type HistoryEntry, newestFirst } from "../store/history/store-history.ts";
import type { StoreReader } from "../store/store-reader.ts";

/** Whose changes are taken back. */
export interface RollBackRequest {
  session?: string | undefined;
  actor?: string | undefined;
  since?: string | undefined;
  isApplied?: boolean | undefined;
}

/** Which change to take back. */
export interface UndoRequest {
  change?: string | undefined;
  handle?: string | undefined;
  isApplied?: boolean | undefined;
}

/** What is, or would be, taken back. */
export interface RollBackReport {
  /** The changes that are taken back, newest first. */
  takenBack: Change[];
  /** Those that stay, each with the reason. */
  kept: (Change & { why: string })[];
  /** The changes that took them back, one a store. */
  changes: Change[];
  isApplied: boolean;
}

/** Default: the last change, so a second undo redoes. An edit outside heed only by its id or memory. */
export async function undoChange(place: Place, request: UndoRequest, actor: Actor): Promise<Change> {
  const { change, handle, isApplied = true } = request;
  requireMayWrite(place, actor);
  const { entry, of, isPart } =
    handle === undefined ? await findUndoable(place, change) : await changeOfMemory(place, handle, change);
  const why = whyNot(entry, change !== undefined || handle !== undefined);
  const { kept, files, apply } = await takeBack(place, of, why === undefined ? [entry] : [], actor);
  if (kept[0]) throw kept[0].error;
  if (files.length === 0) {
    const reason = why ?? `"${entry.summary}" changed no memory that could be put back as it was`;
    throw invalidInput("change", change ?? entry.id, reason);
  }
  if (!isApplied) {
    const steps = stepsOf(files, (text) => text);
    const touched = steps.flatMap(({ before, after }) => (after ?? before)?.file ?? []);
    return { ...changeOf(entry), files: touched.filter((file) => isMemoryFile(basename(file))) };
  }
  // The rest of a part can still be taken back.
  return isPart
    ? apply(`undo for ${String(handle)} alone: ${entry.summary}`)
    : apply(whyUndone(entry), entry.record ?? entry.id);
}

function whyNot({ id, record, summary, isOwn, isMerge }: HistoryEntry, isNamed: boolean): string | undefined {
  const short = id.slice(0, 10);
  if (isMerge) return `${short} brought two histories together: undo the single changes that it brought`;
  if (!isOwn)
    return id === UNCOMMITTED
      ? "it was made outside heed and is in no history: heed remove takes it away"
      : `${short} is a commit of the repository around the store: take it back with git revert`;
  if (isNamed || record !== undefined) return undefined;
  return `the last change was not made by heed (${summary}): \`heed undo ${short}\` takes it back`;
}

/** An undo that is undone is a redo, and that one undone is the undo again: the words do not pile up. */
function whyUndone({ undoes, summary }: HistoryEntry): string {
  const [, did, done] = (undoes && /^(undo|redo): (.*)$/s.exec(summary)) || [];
  return did === "undo" ? `redo: ${done}` : `undo: ${done ?? summary}`;
}

/** Refuses what only a person takes back: their change of a rule or note about them, a guard, the end or another text of a rule. */
function requireFree(
  { ref }: StoreReader,
  entry: HistoryEntry,
  files: readonly FileChange[],
  types: TypeTable,
): void {
  const memoryOf = (file: string, text: string | null): StoredMemory | undefined =>
    text === null ? undefined : parseMemoryFile(ref, file, text, types).memory;
  for (const { file, before, after } of files) {
    const [now, then] = [memoryOf(file, before), memoryOf(file, after)];
    const rule = [now, then].find((memory) => memory && takesForce(memory.metadata, types))?.metadata;
    const isPersons = (entry.by ?? "person") === "person";
    const isOfUser = [now, then].some((one) => one && isPersonal(types.get(one.metadata.type)));
    if (!rule && isPersons && isOfUser) throw onlyTheUser(entry, "a personal memory");
    if (!rule) continue;
    const isGuard = JSON.stringify(now?.metadata.guard) !== JSON.stringify(then?.metadata.guard);
    if (!isGuard && !isPersons && (!now || !takesForce(now.metadata, types) || holdsAsBefore(now, then)))
      continue;
    throw onlyTheUser(entry, `${rule.guard === undefined ? "a rule" : "a guard"} (${rule.name})`);
  }
}

function onlyTheUser({ id, summary }: HistoryEntry, changed: string): HeedError {
  const command = `heed undo ${id.slice(0, 10)} in a terminal`;
  const message = `"${summary}" changed ${changed}: only a person takes it back, with ${command}`;
  return refusedBy("user-word", message, `a person runs ${command}`);
}

function holdsAsBefore(now: StoredMemory, then: StoredMemory | undefined): boolean {
  const held = ({ metadata, body }: StoredMemory): string => {
    const { type, statement, status, scope, expires, origin } = metadata;
    const isSuperseded = status === "superseded";
    return JSON.stringify([type, statement, isSuperseded, scope, expires, origin.door, body.trim()]);
  };
  return then !== undefined && held(now) === held(then);
}

interface Undoable {
  entry: HistoryEntry;
  of: Pick<History, "store" | "history">;
  /** The entry lacks what the change did to other memories. */
  isPart?: boolean;
}

async function changeOfMemory(place: Place, handle: string, change?: string): Promise<Undoable> {
  const { steps, at, ...of } = await findStep(place, handle, change);
  const step = steps[at];
  if (!step) throw notFound(handle, `${handle} has no change to take back`);
  const { entry, before, after } = step;
  const isOwn = ({ file }: FileSides): boolean => file === before?.file || file === after?.file;
  const isPart = entry.files.some((side) => !isOwn(side) && isMemoryFile(basename(side.file)));
  return { entry: isPart ? { ...entry, files: entry.files.filter(isOwn) } : entry, of, isPart };
}

async function findUndoable(place: Place, change: string | undefined): Promise<Undoable> {
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
  if (change === undefined) throw notFound(change, "there is no change to take back");
  throw notFound(change, `no change is called "${change}": \`heed undo --list\` lists them`);
}

interface StoreChanges extends History {
  isOpen: (entry: HistoryEntry) => boolean;
}

async function changesOfStores(place: Place): Promise<StoreChanges[]> {
  return (await historiesOf(place)).map((of) => {
    const undone = new Set<string>();
    // The newest first: an undo that was undone undoes nothing.
    for (const { id, record = id, undoes } of of.entries)
      if (!undone.has(record) && !undone.has(id)) for (const one of undoes?.split(" ") ?? []) undone.add(one);
    const isOpen = ({ id, record = id, isOwn, isMerge, files }: HistoryEntry): boolean =>
      isOwn &&
      !isMerge &&
      !files.every(({ file }) => isSetting(file)) &&
      !undone.has(id) &&
      !undone.has(record);
    return { ...of, isOpen };
  });
}

/** What taking back entries, the newest first, makes of a store's files, and what has to stay. */
async function takeBack(
  place: Place,
  { store, history }: Pick<History, "store" | "history">,
  entries: readonly HistoryEntry[],
  actor: Actor,
): Promise<{
  taken: HistoryEntry[];
  kept: { entry: HistoryEntry; error: HeedError }[];
  files: FileChange[];
  apply: (why: string, undoes?: string) => Promise<Change>;
}> {
  const sides = entries.flatMap((entry) => entry.files);
  const texts = await history.texts(sides.flatMap(({ before, after }) => [before ?? [], after ?? []].flat()));
  const textOf = (blob: string): string | undefined => texts.get(blob);
  const locate = (text: string): string | undefined => locateMemory(store, text);
  // The files as they will be: each change is taken back in what the ones after it leave.
  const state = new Map<string, FileChange>();
  const read = (file: string): string | null => {
    const known = state.get(file);
    return known ? known.after : (store.read(file).text ?? null);
  };
  const taken: HistoryEntry[] = [];
  const kept: { entry: HistoryEntry; error: HeedError }[] = [];
  for (const entry of entries) {
    try {
      const own = { ...entry, files: entry.files.filter(({ file }) => !isSetting(file)) };
      const files = planUndo(own, { textOf, read, locate });
      if (actor.kind !== "person") requireFree(store, entry, files, place.types);
      for (const one of files) state.set(one.file, { ...one, before: (state.get(one.file) ?? one).before });
      taken.push(entry);
    } catch (error) {
      if (!(error instanceof HeedError)) throw error;
      kept.push({ entry, error });
    }
  }
  const files = [...state.values()].filter(({ before, after }) => before !== after);
  const apply = async (why: string, undoes?: string): Promise<Change> => {
    const purpose = { kind: "undo", why, ...(undoes !== undefined && { undoes }) } as const;
    const record = await new MemoryWriter(place, actor).changeFiles(store.ref, files, purpose);
    // What was confirmed by it waits again; not a removal, which is answered by its undo.
    const made = taken.flatMap((entry) => (entry.undoes === undefined ? entry.files : []));
    for (const { file, after } of made) {
      const text = after === null || file.startsWith(TOMBSTONE_FOLDER) ? undefined : textOf(after);
      if (text !== undefined) inboxOf(place).giveBack(contentHashOf(text));
    }
    return changeMade(store, record);
  };
  return { taken, kept, files, apply };
}

function isSetting(file: string): boolean {
  return file === CONFIG_FILE || file === ".gitignore";
}

function locateMemory(store: StoreReader, text: string): string | undefined {
  const id = memoryIdIn(text);
  if (id === undefined) return undefined;
  const living = store.list().memories.find(({ metadata }) => metadata.id === id);
  return (
    living?.metadata.file ?? store.listTombstones().find(({ memory }) => memory.metadata.id === id)?.file
  );
}

/** Takes back all that one session or actor changed, the newest first, as one change a store. What later changes touch stays, and is told. */
export async function rollBack(
  place: Place,
  request: RollBackRequest,
  actor: Actor,
): Promise<RollBackReport> {
  const { session, actor: whose, since, isApplied = false } = request;
  if (session === undefined && whose === undefined)
    throw invalidInput(
      "session",
      "",
      "say whose changes: a session, or an actor as `heed undo --list` names it",
    );
  const isTheirs = (entry: HistoryEntry): boolean =>
    (session === undefined || entry.session === session) &&
    (whose === undefined || namesOf(entry).includes(whose.toLowerCase())) &&
    (since === undefined || entry.time >= since);
  if (isApplied) requireMayWrite(place, actor);
  const report: RollBackReport = { takenBack: [], kept: [], changes: [], isApplied };
  const all: HistoryEntry[] = [];
  for (const of of await changesOfStores(place)) {
    const theirs = of.entries.filter(
      (entry) => isTheirs(entry) && entry.undoes === undefined && of.isOpen(entry),
    );
    const { taken, kept, files, apply } = await takeBack(place, of, theirs, actor);
    for (const { entry, error } of kept)
      report.kept.push({ ...changeOf(entry), why: error.message.split("\n")[0] ?? "" });
    all.push(...taken);
    if (!isApplied || files.length === 0) continue;
    const why = `undo: ${taken.length} changes of ${session === undefined ? whose : `session ${session}`}`;
    report.changes.push(await apply(why, taken.map(({ record, id }) => record ?? id).join(" ")));
  }
  if (all.length + report.kept.length === 0) {
    const them = session === undefined ? `"${whose}"` : `session "${session}"`;
    const message = `there is no change of ${them} to take back: \`heed undo --list --json\` tells who changed what`;
    throw notFound(session ?? whose, message);
  }
  report.takenBack.push(...all.sort(newestFirst).map(changeOf));
  return report;
}

/** What an actor is called: `claude-code (model)`, `claude-code`, `model`. */
function namesOf({ actor, by }: HistoryEntry): string[] {
  return [actor, actor.replace(/ \(\w+\)$/, ""), by ?? actor].map((name) => name.toLowerCase());
}
