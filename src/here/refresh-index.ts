import { setFlagsFromString } from "node:v8";
import { type OpenedIndex, type SeenStore, UNFINISHED, writeSeen } from "./store-index.ts";
import { type IndexDocument, documentKeyOf } from "../search/index/document/index-document.ts";
import type { IndexReader } from "../search/index/index-reader.ts";
import { updateIndex, writeIndex, memoryIndex } from "../search/index/index-writer.ts";
import { unlessDamaged } from "../search/index/segment/bytes.ts";
import type { TypeTable } from "../memory/memory-type.ts";
import type { StoreRef } from "../memory/memory.ts";
import type { FileState, FolderState, StoreWalk } from "../store/files/scan-store.ts";
import { readMemoryFile, fileStates, walkStore } from "../store/files/scan-store.ts";

export interface RefreshTask {
  store: StoreRef;
  directory: string;
  types: TypeTable;
  typesKey: string;
  /** Milliseconds of `performance.now()` at which reading stops. */
  deadline: number;
  /** Looks at files in folders that changed alone. */
  isQuick?: boolean;
}

export type RefreshResult =
  | { outcome: "current" }
  /** The index cannot be written, or there was no time for all files: what was read is in this reader instead. */
  | { outcome: "in-memory"; reader: IndexReader; isCut: boolean }
  /** Some changed files were not read in time; the next refresh goes on with them. */
  | { outcome: "cut" };

/** Reads what changed since the index was built and adds it; without an index, reads everything. */
export function refreshIndex(task: RefreshTask, opened: OpenedIndex | undefined): RefreshResult {
  const started = performance.now();
  const { deadline } = task;
  const untilMs = started + (deadline - started) * WALKING_SHARE;
  const walk = walkStore(task.store.root, { untilMs, isFirst: ruleNamed(task.types) });
  const { folders } = walk;
  // What the index has is told; without one, what was found of rules.
  if (walk.isCut && opened) return { outcome: "cut" };
  const known = opened && knownDocuments(opened);
  if (!known) return rebuild(task, walk);

  const present = new Set(walk.files);
  const gone = [...known.states.keys()].filter((file) => !present.has(file));
  const { changed, isCut } = changedFiles(task, walk, known.states, opened.seen);
  const isChanged = new Set(changed);
  const withoutMemory = opened.seen.withoutMemory.filter(
    ({ file }) => present.has(file) && !isChanged.has(file),
  );
  const { generation } = opened.reader;
  const seen: SeenStore = {
    folders: isCut ? UNFINISHED : folders,
    withoutMemory,
    typesKey: task.typesKey,
    generation,
  };
  const read = new FilesRead(task, changed);
  if (changed.length > 0 || gone.length > 0) {
    try {
      const removals = (kept: ReadonlySet<string>): string[] =>
        [...gone, ...read.files]
          .flatMap((file) => known.keys.get(file) ?? [])
          .filter((key) => !kept.has(key));
      const maxMerged = deadline === Infinity ? undefined : MAX_MERGED;
      const updated = updateIndex(task.directory, read.documents(), removals, maxMerged);
      if (updated === undefined) return rebuild(task, walk);
      seen.generation = updated;
    } catch {
      return rebuild(task, walk);
    }
    if (!read.isComplete) seen.folders = UNFINISHED;
    seen.withoutMemory = [...withoutMemory, ...read.withoutMemory];
  }
  if (isCut || read.isCut) {
    writeSeen(task.directory, seen);
    return { outcome: "cut" };
  }
  if (!writeSeen(task.directory, seen)) return rebuild(task, walk);
  // Kept open by this process: looked at with these states from now on.
  opened.seen = seen;
  return { outcome: "current" };
}

/** Of the time, listing names may take the first share; then, of the rest, looking for changes: those are to be read, too. */
const WALKING_SHARE = 0.2;
const LOOKING_SHARE = 0.5;
/** Segments of more memories are merged where nobody waits. */
const MAX_MERGED = 2_000;
const LOOKED_AT_ONCE = 256;

/** New files first, which need no look; of the others, for a quick look, those in folders that changed. */
function changedFiles(
  task: RefreshTask,
  walk: StoreWalk,
  known: ReadonlyMap<string, FileState>,
  { folders }: SeenStore,
): { changed: string[]; isCut: boolean } {
  const changed = walk.files.filter((file) => !known.has(file));
  const before = new Map(folders.map(({ folder, changedMs }) => [folder, changedMs]));
  const isQuiet = ({ folder, changedMs }: FolderState): boolean =>
    task.isQuick === true && before.get(folder) === changedMs;
  const quiet = new Set(walk.folders.filter(isQuiet).map(({ folder }) => folder));
  const rest = walk.files.filter(
    (file) => known.has(file) && !quiet.has(file.slice(0, Math.max(0, file.lastIndexOf("/")))),
  );
  const started = performance.now();
  const isOver = (): boolean => performance.now() > started + (task.deadline - started) * LOOKING_SHARE;
  for (let at = 0; at < rest.length; at += LOOKED_AT_ONCE) {
    if (at > 0 && isOver()) return { changed, isCut: true };
    for (const state of fileStates(task.store.root, rest.slice(at, at + LOOKED_AT_ONCE)))
      if (!isSame(state, known.get(state.file))) changed.push(state.file);
  }
  return { changed, isCut: false };
}

function rebuild(task: RefreshTask, { files, folders, isCut: isWalkCut }: StoreWalk): RefreshResult {
  const read = new FilesRead(task, files, isWalkCut);
  const inMemory = (): RefreshResult => {
    const again = new FilesRead(task, files, isWalkCut);
    return { outcome: "in-memory", reader: memoryIndex(again.documents()), isCut: again.isCut };
  };
  let generation = "";
  try {
    // What was read in time is kept, so that the next refresh goes on from there and a large store gets an index.
    generation = writeIndex(task.directory, read.documents());
  } catch {
    return inMemory();
  }
  const { typesKey } = task;
  const { isComplete, isCut, withoutMemory } = read;
  const seen = { folders: isComplete ? folders : UNFINISHED, withoutMemory, typesKey, generation };
  return writeSeen(task.directory, seen) ? { outcome: isCut ? "cut" : "current" } : inMemory();
}

/** Files that take longer to read than the compiler takes. */
const MANY = 200;

/** Rules that are read although the time is over, in some 50 ms. */
const MAX_LATE_RULES = 100;

/** An index is finished in this share of the time that reading its files takes. */
const READING_SHARE = 0.6;

/** Reads files one by one, so that no more than one is held. */
class FilesRead {
  readonly withoutMemory: FileState[] = [];
  readonly files: string[] = [];
  isCut: boolean;
  /** No file was left out for lack of time, or because it was being moved. */
  isComplete: boolean;
  readonly #task: RefreshTask;
  readonly #names: readonly string[];

  constructor(task: RefreshTask, names: readonly string[], isCut = false) {
    this.#task = task;
    this.#names = names;
    this.isCut = isCut;
    this.isComplete = !isCut;
  }

  *documents(): Generator<IndexDocument> {
    const { store, types } = this.#task;
    // The launcher of hooks and searches switched V8's optimising compiler off.
    if (this.#names.length > MANY) setFlagsFromString("--opt");
    const started = performance.now();
    const { files, rules } = rulesFirst(this.#names, types);
    for (const [i, file] of files.entries()) {
      const { deadline } = this.#task;
      const isOver = performance.now() > started + (deadline - started) * READING_SHARE;
      // A session goes without facts sooner than without rules.
      if (isOver && i >= Math.min(rules, MAX_LATE_RULES)) {
        this.isCut = true;
        this.isComplete = false;
        return;
      }
      this.files.push(file);
      const { memories, state, isForbidden } = readMemoryFile(store, file, types);
      yield* memories;
      if (memories.length > 0) continue;
      // The state of what was read, not of what lies under its name before or after.
      const without = state ?? (isForbidden ? fileStates(store.root, [file])[0] : undefined);
      if (without) this.withoutMemory.push(without);
      else this.isComplete = false;
    }
  }
}

/** Files whose folder or name says that they hold rules come first: when time runs out, they must not be missing. */
function rulesFirst(files: readonly string[], types: TypeTable): { files: string[]; rules: number } {
  const isRule = ruleNamed(types);
  const first = files.filter(isRule);
  return { files: [...first, ...files.filter((file) => !isRule(file))], rules: first.length };
}

function ruleNamed(types: TypeTable): (file: string) => boolean {
  const rules = types.all().filter(({ injection }) => injection === "always");
  return (file) => rules.some(({ name }) => file.startsWith(name) || file.includes(`/${name}`));
}

function knownDocuments({
  reader,
  seen,
}: OpenedIndex): { states: Map<string, FileState>; keys: Map<string, string[]> } | undefined {
  const table = unlessDamaged(() => reader.fileTable());
  if (!table) return undefined;
  const states = new Map<string, FileState>(seen.withoutMemory.map((state) => [state.file, state]));
  const keys = new Map<string, string[]>();
  for (const entry of table) {
    states.set(entry.file, entry);
    keys.set(entry.file, [...(keys.get(entry.file) ?? []), documentKeyOf(entry)]);
  }
  return { states, keys };
}

function isSame(state: FileState, known: FileState | undefined): boolean {
  return known !== undefined && known.mtimeMs === state.mtimeMs && known.sizeBytes === state.sizeBytes;
}
