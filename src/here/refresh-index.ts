import type { Progress } from "./workspace.ts";
import { type OpenedIndex, type SeenStore, UNFINISHED, writeSeen } from "./store-index.ts";
import { type IndexDocument, documentKeyOf } from "../search/index/document/index-document.ts";
import type { IndexReader } from "../search/index/index-reader.ts";
import { updateIndex, writeIndex, memoryIndex } from "../search/index/index-writer.ts";
import { unlessDamaged } from "../search/index/segment/bytes.ts";
import type { TypeTable } from "../memory/memory-type.ts";
import type { StoreRef } from "../memory/memory.ts";
import type { FileState, FolderState } from "../store/files/scan-store.ts";
import { readMemoryFile, fileStates, walkStore } from "../store/files/scan-store.ts";

interface RefreshTask {
  store: StoreRef;
  directory: string;
  types: TypeTable;
  typesKey: string;
  /** Milliseconds of `performance.now()` at which reading stops. */
  deadline: number;
  progress?: Progress | undefined;
}

/** What came of a refresh. */
export type RefreshResult =
  /** The index on disk is up to date. */
  | { outcome: "current" }
  /** The index cannot be written, or there was no time for all files: what was read is in this reader instead. */
  | { outcome: "in-memory"; reader: IndexReader; isCut: boolean }
  /** Some changed files were not read in time; the next refresh goes on with them. */
  | { outcome: "cut" };

/** Reads what changed since the index was built and adds it; without an index, reads everything. */
export function refreshIndex(task: RefreshTask, opened: OpenedIndex | undefined): RefreshResult {
  const walk = walkStore(task.store.root);
  const { folders } = walk;
  const files = fileStates(task.store.root, walk.files);
  const known = opened && knownDocuments(opened);
  if (!known) return rebuild(task, files, folders);

  const { changed, gone } = differences(files, known.states);
  const present = new Set(walk.files);
  const withoutMemory = opened.seen.withoutMemory.filter(
    (state) => present.has(state.file) && !changed.some(({ file }) => file === state.file),
  );
  const { generation } = opened.reader;
  const seen: SeenStore = { folders, withoutMemory, typesKey: task.typesKey, generation };
  if (changed.length > 0 || gone.length > 0) {
    const read = readFiles(task, changed);
    if (!read.isComplete) seen.folders = UNFINISHED;
    seen.withoutMemory = [...withoutMemory, ...read.withoutMemory];
    const kept = new Set(read.documents.map(({ metadata }) => documentKeyOf(metadata)));
    const removals = [...gone, ...read.files]
      .flatMap((file) => known.keys.get(file) ?? [])
      .filter((key) => !kept.has(key));
    try {
      const updated = updateIndex(task.directory, { upserts: read.documents, removals });
      if (updated === undefined) return rebuild(task, files, folders);
      seen.generation = updated;
    } catch {
      return rebuild(task, files, folders);
    }
    if (read.isCut) {
      writeSeen(task.directory, seen);
      return { outcome: "cut" };
    }
  }
  if (!writeSeen(task.directory, seen)) return rebuild(task, files, folders);
  // Kept open by this process: looked at with these states from now on.
  opened.seen = seen;
  return { outcome: "current" };
}

/** Whether the files of a store are those that an index was built from, each as it was; looked at one by one. */
export function isBuiltFrom(root: string, opened: OpenedIndex): boolean {
  const known = knownDocuments(opened);
  if (!known) return false;
  const { changed, gone } = differences(fileStates(root, walkStore(root).files), known.states);
  return changed.length === 0 && gone.length === 0;
}

function differences(
  files: readonly FileState[],
  known: ReadonlyMap<string, FileState>,
): { changed: FileState[]; gone: string[] } {
  const present = new Set(files.map(({ file }) => file));
  return {
    changed: files.filter((state) => !isSame(state, known.get(state.file))),
    gone: [...known.keys()].filter((file) => !present.has(file)),
  };
}

function rebuild(task: RefreshTask, files: readonly FileState[], folders: FolderState[]): RefreshResult {
  const { documents, withoutMemory, isCut, isComplete } = readFiles(task, files);
  let generation = "";
  try {
    // What was read in time is kept, so that the next refresh goes on from there and a large store gets an index.
    if (!isCut || documents.length > 0) generation = writeIndex(task.directory, documents);
  } catch {
    return { outcome: "in-memory", reader: memoryIndex(documents), isCut };
  }
  const { typesKey } = task;
  const seen = { folders: isComplete ? folders : UNFINISHED, withoutMemory, typesKey, generation };
  return writeSeen(task.directory, seen) && !isCut
    ? { outcome: "current" }
    : { outcome: "in-memory", reader: memoryIndex(documents), isCut };
}

interface FilesRead {
  documents: IndexDocument[];
  withoutMemory: FileState[];
  files: string[];
  isCut: boolean;
  /** No file was left out for lack of time, or because it was being moved. */
  isComplete: boolean;
}

function readFiles(task: RefreshTask, states: readonly FileState[]): FilesRead {
  const read: FilesRead = { documents: [], withoutMemory: [], files: [], isCut: false, isComplete: true };
  for (const [i, state] of rulesFirst(states, task.types).entries()) {
    if (performance.now() > task.deadline) return { ...read, isCut: true, isComplete: false };
    if (i % 200 === 0) task.progress?.(i, states.length, "reading memories");
    read.files.push(state.file);
    const { memories, state: opened, isForbidden } = readMemoryFile(task.store, state.file, task.types);
    read.documents.push(...memories);
    if (memories.length > 0) continue;
    // The state of what was read, not of what lies under its name before or after.
    if (opened || isForbidden) read.withoutMemory.push(opened ?? state);
    else read.isComplete = false;
  }
  task.progress?.(states.length, states.length, "reading memories");
  return read;
}

/** Files whose folder or name says that they hold rules come first: when time runs out, they must not be missing. */
function rulesFirst(states: readonly FileState[], types: TypeTable): FileState[] {
  const rules = types.all().filter(({ injection }) => injection === "always");
  const isRule = ({ file }: FileState): boolean =>
    rules.some(({ name }) => file.startsWith(name) || file.includes(`/${name}`));
  return [...states.filter(isRule), ...states.filter((state) => !isRule(state))];
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
