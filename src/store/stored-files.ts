import { basename, dirname, join } from "node:path";
import { HeedError, invalidInput, type Problem } from "../machine/heed-error.ts";
import type { MemoryAmendment } from "../memory/codec/amend-memory.ts";
import type { TypeTable } from "../memory/memory-type.ts";
import type { StoreRef } from "../memory/memory.ts";
import { readText } from "../machine/atomic-file.ts";
import {
  type StoredMemory,
  contentHashOf,
  MAX_FILE_BYTES,
  parseMemoryFile,
  readMemoryFile,
  listMemoryFiles,
  folderOfType,
  pathInStore,
  fileNameOf,
} from "./files/scan-store.ts";
import { type Tombstone, TOMBSTONE_FOLDER, readRemoval } from "./files/tombstone.ts";
import { readdirSync } from "node:fs";

/** The files of a store as they are read before a change: where they lie, what they say, and whether they still do. */
export class StoredFiles {
  readonly #ref: StoreRef;
  readonly #types: TypeTable;

  constructor(ref: StoreRef, types: TypeTable) {
    this.#ref = ref;
    this.#types = types;
  }

  locate(file: string): string {
    return pathInStore(this.#ref.root, file);
  }

  read(file: string): { memory: StoredMemory | undefined; text: string | undefined; problems: Problem[] } {
    const text = readText(this.locate(file)) ?? undefined;
    if (text === undefined) return { memory: undefined, text, problems: [] };
    return { ...readMemoryFile(this.#ref, file, this.#types), text };
  }

  listTombstones(): Tombstone[] {
    const root = this.#tombstoneRoot();
    return listMemoryFiles(root)
      .flatMap((file): Tombstone[] => {
        const { memory, text } = readMemoryFile({ ...this.#ref, root }, file, this.#types);
        if (text === undefined || !memory) return [];
        return [{ memory, file: `${TOMBSTONE_FOLDER}/${file}`, ...readRemoval(text) }];
      })
      .sort(lastRemovedFirst);
  }

  /** A removed memory by its name or id. @throws HeedError `not-found`, with what was removed. */
  requireTombstone(nameOrId: string): Tombstone {
    const removed = this.listTombstones();
    const found = removed.find(
      ({ memory }) => memory.metadata.name === nameOrId || memory.metadata.id === nameOrId,
    );
    if (found) return found;
    const suggestions = removed.map(({ memory }) => memory.metadata.name);
    throw new HeedError(
      "not-found",
      `no removed memory "${nameOrId}"${suggestions.length ? `; removed are ${suggestions.slice(0, 5).join(", ")}` : ""}`,
      { handle: nameOrId, suggestions: suggestions.slice(0, 20) },
    );
  }

  /** The memory in a file that was just written, or undefined where it cannot be read any more. */
  readBack(file: string): StoredMemory | undefined {
    const root = file.startsWith(`${TOMBSTONE_FOLDER}/`) ? this.#tombstoneRoot() : this.#ref.root;
    const plain = file.replace(`${TOMBSTONE_FOLDER}/`, "");
    return readMemoryFile({ ...this.#ref, root }, plain, this.#types).memory;
  }

  names(): FileNames {
    return new FileNames(this.#ref, (file) => this.read(file).memory?.metadata.name);
  }

  require(file: string): string {
    const text = readText(this.locate(file));
    if (text !== null) return text;
    throw new HeedError("not-found", `there is no file ${file} in this store`, {
      handle: file,
      suggestions: [],
    });
  }

  /** The text of a file as it was read. @throws HeedError `changed-outside` when it is another by now. */
  expect(file: string, expectedHash: string, edit?: string | MemoryAmendment): string {
    const text = readText(this.locate(file));
    if (text !== null && contentHashOf(text) === expectedHash) return text;
    const what = text === null ? "removed or moved" : "edited";
    throw new HeedError(
      "changed-outside",
      `${file} was ${what} since it was read: read it again and repeat the change`,
      { file, expectedHash, found: text, wanted: edit },
    );
  }

  /**
   * The memory that a text would be. `known`: earlier problems, only new errors are refused; default: all are known.
   * @throws HeedError `invalid-input` for a text too long to be read again; `broken-file`.
   */
  parse(file: string, text: string, known?: readonly Problem[]): StoredMemory {
    const bytes = Buffer.byteLength(text);
    if (bytes > MAX_FILE_BYTES) {
      throw invalidInput(
        "body",
        bytes,
        `a memory of ${bytes} bytes would not be read again, ${MAX_FILE_BYTES} at most: split it`,
      );
    }
    const place = file.replace(`${TOMBSTONE_FOLDER}/`, "");
    const { memory, problems } = parseMemoryFile(this.#ref, place, text, this.#types);
    const added = problems.find(
      ({ severity, code }) =>
        severity === "error" && known !== undefined && !known.some((problem) => problem.code === code),
    );
    if (memory && !added) return memory;
    const [problem] = added ? [added] : problems;
    const reason = problem
      ? `line ${problem.line ?? 1}: ${problem.message}; ${problem.remedy}`
      : "heed check names the line";
    throw new HeedError("broken-file", `${file} cannot be read as a memory (${reason})`, {
      file,
      line: problem?.line,
    });
  }

  /** A memory in the folder of its type moves with its type; one that lies elsewhere stays where its owner put it. */
  fileAfterTypeChange(file: string, current: StoredMemory | undefined, target: StoredMemory): string {
    if (!current || current.metadata.type === target.metadata.type) return file;
    if (dirname(file) !== folderOfType(current.metadata.type)) return file;
    const wanted = `${folderOfType(target.metadata.type)}/${basename(file)}`;
    return this.names().take(target.metadata, wanted, file);
  }

  #tombstoneRoot(): string {
    return join(this.#ref.root, TOMBSTONE_FOLDER);
  }
}

/** Removals within one second are told apart by the numbers of their files, of which the longer is the higher. */
function lastRemovedFirst(a: Tombstone, b: Tombstone): number {
  if (a.removed !== b.removed) return a.removed < b.removed ? 1 : -1;
  return b.file.length - a.file.length || b.file.localeCompare(a.file);
}

/** Names of a store's files for one change: `<type>/<name>.md`, numbered where taken. */
class FileNames {
  readonly #store: StoreRef;
  readonly #nameIn: (file: string) => string | undefined;
  readonly #folders = new Map<string, Set<string>>();
  /** Files, in the root and one folder down, by the memory names that they may stand for. */
  readonly #byStem = new Map<string, string[]>();
  readonly #given = new Map<string, string>();

  constructor(store: StoreRef, nameIn: (file: string) => string | undefined) {
    this.#store = store;
    this.#nameIn = nameIn;
    const folders = readdirNames(store.root, true).filter((name) => !name.startsWith("."));
    for (const folder of ["", ...folders.map((name) => `${name}/`)])
      for (const name of namesIn(join(store.root, folder)))
        for (const stem of stemsOf(name))
          this.#byStem.set(stem, [...(this.#byStem.get(stem) ?? []), folder + name]);
  }

  /**
   * File for a memory. `wanted`: rather than the usual place. `own`: does not stand in its own way.
   * @throws HeedError `changed-outside` when the store has a memory of that name.
   */
  take(memory: { name: string; type: string }, wanted?: string, own?: string): string {
    const stem = fileNameOf(memory.name);
    const namesakes = (this.#byStem.get(fold(stem)) ?? []).filter((file) => file !== own);
    const duplicate =
      this.#given.get(memory.name) ?? namesakes.find((file) => this.#nameIn(file) === memory.name);
    if (duplicate !== undefined) {
      throw new HeedError(
        "changed-outside",
        `a memory "${memory.name}" exists already (${duplicate}): amend it, or choose another name`,
        { file: duplicate, name: memory.name },
      );
    }
    const place = wanted ?? `${folderOfType(memory.type)}/${stem}.md`;
    const folder = place.slice(0, place.lastIndexOf("/") + 1);
    const base = place.slice(folder.length).replace(/\.(md|markdown)$/i, "");
    const taken = this.#namesBelow(folder);
    const isOwn = (name: string): boolean => own !== undefined && fold(folder + name) === fold(own);
    for (let number = 1; ; number++) {
      const name = `${base}${number === 1 ? "" : `-${number}`}.md`;
      if (taken.has(fold(name)) && !isOwn(name)) continue;
      taken.add(fold(name));
      this.#given.set(memory.name, folder + name);
      return folder + name;
    }
  }

  #namesBelow(folder: string): Set<string> {
    const known = this.#folders.get(folder);
    if (known) return known;
    const names = new Set(namesIn(join(this.#store.root, folder)).map(fold));
    this.#folders.set(folder, names);
    return names;
  }
}

/** The names of memories after which a file may be called: `stem`, `<type>_stem` or `stem-2`. */
function stemsOf(fileName: string): Set<string> {
  const name = fold(fileName).replace(/\.(md|markdown)$/, "");
  const stems = new Set([name, name.replace(/-\d+$/, "")]);
  for (let at = name.indexOf("_"); at >= 0; at = name.indexOf("_", at + 1)) stems.add(name.slice(at + 1));
  return stems;
}

function namesIn(folder: string): string[] {
  return readdirNames(folder, false).filter((name) => /\.(md|markdown)$/i.test(name));
}

function readdirNames(folder: string, isForFolders: boolean): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() === isForFolders)
      .map((entry) => entry.name);
  } catch {
    return [];
  }
}

/** The same for all paths that are one file where cases and forms of accents do not count. */
export function fold(path: string): string {
  return path.normalize("NFC").toLowerCase();
}
