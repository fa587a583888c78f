import { readdirSync } from "node:fs";
import { join } from "node:path";
import { HeedError } from "../../errors/heed-error.ts";
import type { StoreRef } from "../../memory/store-ref.ts";
import { fileNameOf, folderOfType } from "./memory-path.ts";

/**
 * The names of a store's files, read once for one change under the store's lock. A memory's file is
 * `<type>/<name>.md`, in stores of other tools `<type>_<name>.md`; it gets a number where another memory's
 * file has that name in any case.
 */
export class FileNames {
  readonly #store: StoreRef;
  readonly #nameIn: (file: string) => string | undefined;
  /** Folded file names by folder. */
  readonly #folders = new Map<string, Set<string>>();
  /** Files, in the root and one folder down, by the memory names that they may stand for. */
  readonly #byStem = new Map<string, string[]>();
  /** Names of memories that were given a file here, and are not written yet. */
  readonly #given = new Map<string, string>();

  /** @param nameIn the name of the memory in a file. */
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
   * The file for a memory.
   *
   * @param wanted where the file should be rather than at the usual place.
   * @param own the file of the memory itself, which does not stand in its own way.
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
    const type = fileNameOf(memory.type);
    const isAttached = this.#store.kind === "attached";
    const usual = isAttached ? `${type}_${stem}.md` : `${folderOfType(memory.type)}/${stem}.md`;
    const place = wanted ?? usual;
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

function fold(name: string): string {
  return name.normalize("NFC").toLowerCase();
}
