import { basename, dirname, join } from "node:path";
import { HeedError, invalidInput, notFound, type Problem } from "../machine/heed-error.ts";
import type { MemoryAmendment } from "../memory/codec/encode-memory.ts";
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
import { type Tombstone, TOMBSTONE_FOLDER, readRemoval, withoutTombstone } from "./files/tombstone.ts";
import { lstatSync } from "node:fs";

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
    return listMemoryFiles(join(this.#ref.root, TOMBSTONE_FOLDER))
      .flatMap((name): Tombstone[] => {
        const file = `${TOMBSTONE_FOLDER}/${name}`;
        const { memory, text } = this.#readAsLiving(file);
        return text === undefined || !memory ? [] : [{ memory, file, ...readRemoval(text) }];
      })
      .sort(lastRemovedFirst);
  }

  /** A removed memory by its name or id. @throws HeedError `not-found`, with what was removed. */
  requireTombstone(nameOrId: string): Tombstone {
    const removed = this.listTombstones();
    const found = removed.find(({ memory: { metadata } }) => [metadata.name, metadata.id].includes(nameOrId));
    if (found) return found;
    const names = removed.map(({ memory }) => memory.metadata.name);
    const rest = names.length > 0 ? `; removed are ${names.slice(0, 5).join(", ")}` : "";
    throw notFound(nameOrId, `no removed memory "${nameOrId}"${rest}`, names.slice(0, 20));
  }

  /** The memory in a file that was just written, or undefined where it cannot be read any more. */
  readBack(file: string): StoredMemory | undefined {
    return this.#readAsLiving(file).memory;
  }

  /** A tombstone is read as the file that it was. */
  #readAsLiving(file: string): ReturnType<typeof readMemoryFile> {
    const living = withoutTombstone(file);
    const root = living === file ? this.#ref.root : join(this.#ref.root, TOMBSTONE_FOLDER);
    return readMemoryFile({ ...this.#ref, root }, living, this.#types);
  }

  names(): FileNames {
    return new FileNames(this.#ref.root, (file) => this.read(file).memory?.metadata.name);
  }

  require(file: string): string {
    const text = readText(this.locate(file));
    if (text !== null) return text;
    throw notFound(file, `there is no file ${file} in this store`);
  }

  /** The text of a file as it was read. @throws HeedError `changed-outside` when it is another by now. */
  expect(file: string, expectedHash: string, edit?: string | MemoryAmendment): string {
    const text = readText(this.locate(file));
    if (text !== null && contentHashOf(text) === expectedHash) return text;
    const what = text === null ? "removed or moved" : "edited";
    const message = `${file} was ${what} since it was read: read it again and repeat the change`;
    throw new HeedError("changed-outside", message, { file, expectedHash, found: text, wanted: edit });
  }

  /**
   * The memory that a text would be. `known`: earlier problems, only new errors are refused; default: all are known.
   * @throws HeedError `invalid-input` for a text too long to be read again; `broken-file`.
   */
  parse(file: string, text: string, known?: readonly Problem[]): StoredMemory {
    const bytes = Buffer.byteLength(text);
    if (bytes > MAX_FILE_BYTES) {
      const message = `a memory of ${bytes} bytes would not be read again, ${MAX_FILE_BYTES} at most: split it`;
      throw invalidInput("body", bytes, message);
    }
    const { memory, problems } = parseMemoryFile(this.#ref, withoutTombstone(file), text, this.#types);
    const added = problems.find(
      ({ severity, code }) =>
        severity === "error" && known !== undefined && !known.some((problem) => problem.code === code),
    );
    if (memory && !added) return memory;
    const { line, message, remedy } = added ?? problems[0] ?? {};
    const reason =
      message === undefined ? "heed check names the line" : `line ${line ?? 1}: ${message}; ${remedy}`;
    throw new HeedError("broken-file", `${file} cannot be read as a memory (${reason})`, { file, line });
  }

  /** A memory in the folder of its type moves with its type; one that lies elsewhere stays where its owner put it. */
  fileAfterTypeChange(file: string, current: StoredMemory | undefined, target: StoredMemory): string {
    if (!current || current.metadata.type === target.metadata.type) return file;
    if (dirname(file) !== folderOfType(current.metadata.type)) return file;
    const wanted = `${folderOfType(target.metadata.type)}/${basename(file)}`;
    return this.names().take(target.metadata, wanted, file);
  }
}

/** Removals within one second are told apart by the numbers of their files, of which the longer is the higher. */
function lastRemovedFirst(a: Tombstone, b: Tombstone): number {
  if (a.removed !== b.removed) return a.removed < b.removed ? 1 : -1;
  return b.file.length - a.file.length || b.file.localeCompare(a.file);
}

/** Names of a store's files for one change: `<type>/<name>.md`, numbered where taken. */
class FileNames {
  readonly #root: string;
  readonly #nameIn: (file: string) => string | undefined;
  readonly #taken = new Set<string>();
  /** Files by the memory names that they may stand for. */
  readonly #byStem = new Map<string, string[]>();
  readonly #given = new Map<string, string>();

  constructor(root: string, nameIn: (file: string) => string | undefined) {
    this.#root = root;
    this.#nameIn = nameIn;
    for (const file of listMemoryFiles(root)) {
      this.#taken.add(fold(file));
      for (const stem of stemsOf(basename(file)))
        this.#byStem.set(stem, [...(this.#byStem.get(stem) ?? []), file]);
    }
  }

  /**
   * File for a memory. `wanted`: rather than the usual place. `own`: does not stand in its own way.
   * @throws HeedError `changed-outside` when the store has a memory of that name.
   */
  take({ name, type }: { name: string; type: string }, wanted?: string, own?: string): string {
    const stem = fileNameOf(name);
    const namesakes = this.#byStem.get(fold(stem)) ?? [];
    const duplicate =
      this.#given.get(name) ?? namesakes.find((file) => file !== own && this.#nameIn(file) === name);
    if (duplicate !== undefined) {
      const message = `a memory "${name}" exists already (${duplicate}): amend it, or choose another name`;
      throw new HeedError("changed-outside", message, { file: duplicate, name });
    }
    const place = (wanted ?? `${folderOfType(type)}/${stem}`).replace(/\.(md|markdown)$/i, "");
    for (let number = 1; ; number++) {
      const file = `${place}${number === 1 ? "" : `-${number}`}.md`;
      const isOwn = own !== undefined && fold(file) === fold(own);
      if (!isOwn && this.#isTaken(file)) continue;
      this.#taken.add(fold(file));
      this.#given.set(name, file);
      return file;
    }
  }

  /** A link, or a file that holds no memory, is in the way too. */
  #isTaken(file: string): boolean {
    const stats = (): unknown => lstatSync(join(this.#root, file), { throwIfNoEntry: false });
    return this.#taken.has(fold(file)) || stats() !== undefined;
  }
}

/** The names of memories after which a file may be called: `stem`, `<type>_stem` or `stem-2`. */
function stemsOf(fileName: string): Set<string> {
  const name = fold(fileName).replace(/\.(md|markdown)$/, "");
  const stems = new Set([name, name.replace(/-\d+$/, "")]);
  for (let at = name.indexOf("_"); at >= 0; at = name.indexOf("_", at + 1)) stems.add(name.slice(at + 1));
  return stems;
}

/** The same for all paths that are one file where cases and forms of accents do not count. */
export function fold(path: string): string {
  return path.normalize("NFC").toLowerCase();
}
