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

interface RefreshResult {
  /** Some files were not read in time; the next refresh goes on with them. */
  isCut: boolean;
  /** What was read, where the index cannot be written. */
  inMemory?: IndexReader;
}

/** Reads what changed since the index was built and adds it; without an index, reads everything. */
export function refreshIndex(task: RefreshTask, opened: OpenedIndex | undefined): RefreshResult {
  const started = performance.now();
  const { deadline } = task;
  const untilMs = started + (deadline - started) * WALKING_SHARE;
  const walk = walkStore(task.store.root, { untilMs, isFirst: ruleNamed(task.types) });
  // What the index has is told; without one, what was found of rules.
  if (walk.isCut && opened) return { isCut: true };
  const maxMerged = deadline === Infinity ? undefined : MAX_MERGED;
  return (opened && update(task, walk, opened, maxMerged)) ?? rebuild(task, walk);
}

/** Undefined where the index is damaged, or cannot be written. */
function update(
  task: RefreshTask,
  walk: StoreWalk,
  opened: OpenedIndex,
  maxMerged: number | undefined,
): RefreshResult | undefined {
  const known = knownDocuments(opened);
  if (!known) return undefined;
  const present = new Set(walk.files);
  const gone = [...known.states.keys()].filter((file) => !present.has(file));
  const { changed, isCut } = changedFiles(task, walk, known.states, opened.seen);
  const read = new FilesRead(task, changed, isCut);
  let generation: string | undefined = opened.reader.generation;
  if (changed.length + gone.length > 0) {
    const removals = (kept: ReadonlySet<string>): string[] =>
      [...gone, ...read.files].flatMap((file) => known.keys.get(file) ?? []).filter((key) => !kept.has(key));
    try {
      generation = updateIndex(task.directory, read.documents(), removals, maxMerged);
    } catch {
      return undefined;
    }
    if (generation === undefined) return undefined;
  }
  const isChanged = new Set(changed);
  const still = opened.seen.withoutMemory.filter(({ file }) => present.has(file) && !isChanged.has(file));
  const seen = read.seen(walk, generation, still);
  if (!writeSeen(task.directory, seen)) return undefined;
  // Kept open by this process: looked at with these states from now on.
  if (!read.isCut) opened.seen = seen;
  return { isCut: read.isCut };
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
    for (const { file, mtimeMs, sizeBytes } of fileStates(
      task.store.root,
      rest.slice(at, at + LOOKED_AT_ONCE),
    )) {
      const before = known.get(file);
      if (before?.mtimeMs !== mtimeMs || before.sizeBytes !== sizeBytes) changed.push(file);
    }
  }
  return { changed, isCut: false };
}

function rebuild(task: RefreshTask, walk: StoreWalk): RefreshResult {
  const read = new FilesRead(task, walk.files, walk.isCut);
  try {
    // What was read in time is kept, so that the next refresh goes on from there and a large store gets an index.
    const generation = writeIndex(task.directory, read.documents());
    if (writeSeen(task.directory, read.seen(walk, generation))) return { isCut: read.isCut };
  } catch {
    // Where it cannot be written, the files are read once more.
  }
  const again = new FilesRead(task, walk.files, walk.isCut);
  const inMemory = memoryIndex(again.documents());
  return { inMemory, isCut: again.isCut };
}

/** Files that take longer to read than the compiler takes. */
const MANY = 200;

/** Rules that are read although the time is over, in some 50 ms. */
const MAX_LATE_RULES = 100;

/** An index is finished in this share of the time that reading its files takes. */
const READING_SHARE = 0.6;

/** Reads files one by one, so that no more than one is held. */
class FilesRead {
  readonly #withoutMemory: FileState[] = [];
  readonly files: string[] = [];
  isCut: boolean;
  /** No file was left out for lack of time, or because it was being moved. */
  #isComplete: boolean;
  readonly #task: RefreshTask;
  readonly #names: readonly string[];

  constructor(task: RefreshTask, names: readonly string[], isCut: boolean) {
    this.#task = task;
    this.#names = names;
    this.isCut = isCut;
    this.#isComplete = !isCut;
  }

  seen({ folders }: StoreWalk, generation: string, still: readonly FileState[] = []): SeenStore {
    return {
      folders: this.#isComplete ? folders : UNFINISHED,
      withoutMemory: [...still, ...this.#withoutMemory],
      typesKey: this.#task.typesKey,
      generation,
    };
  }

  *documents(): Generator<IndexDocument> {
    const { store, types } = this.#task;
    // The launcher of hooks and searches switched V8's optimising compiler off.
    if (this.#names.length > MANY) setFlagsFromString("--opt");
    const started = performance.now();
    const isRule = ruleNamed(types);
    // Files whose folder or name says that they hold rules come first: when time runs out, they must not be missing.
    const rules = this.#names.filter(isRule);
    for (const [i, file] of [...rules, ...this.#names.filter((name) => !isRule(name))].entries()) {
      const { deadline } = this.#task;
      const isOver = performance.now() > started + (deadline - started) * READING_SHARE;
      // A session goes without facts sooner than without rules.
      if (isOver && i >= Math.min(rules.length, MAX_LATE_RULES)) {
        this.isCut = true;
        this.#isComplete = false;
        return;
      }
      this.files.push(file);
      const { memories, state, isForbidden } = readMemoryFile(store, file, types);
      yield* memories;
      if (memories.length > 0) continue;
      // The state of what was read, not of what lies under its name before or after.
      const without = state ?? (isForbidden ? fileStates(store.root, [file])[0] : undefined);
      if (without) this.#withoutMemory.push(without);
      else this.#isComplete = false;
    }
  }
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
