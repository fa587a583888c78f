import { readdirSync } from "node:fs";
import { join } from "node:path";
import { HeedError } from "../../errors/heed-error.ts";
import type { StoreRef } from "../../memory/store-ref.ts";
import { fileNameOf, folderOfType } from "./memory-path.ts";

/**
 * The file for a memory: `<type>/<name>.md`, in stores of other tools `<type>_<name>.md`. Where another memory's file
 * has that name (in any case: some file systems do not tell cases apart) the file gets a number, its memory keeps its name.
 *
 * @param nameIn the name of the memory in a file.
 * @param wanted where the file should be rather than at the usual place.
 * @param own the file of the memory itself, which does not stand in its own way.
 * @throws HeedError `changed-outside` when the store has a memory of that name.
 */
export function takeName(
  store: StoreRef,
  memory: { name: string; type: string },
  nameIn: (file: string) => string | undefined,
  wanted?: string,
  own?: string,
): string {
  const stem = fileNameOf(memory.name);
  const namesakes = filesOfStem(store.root, stem).filter((file) => file !== own);
  const twin = namesakes.find((file) => nameIn(file) === memory.name);
  if (twin !== undefined) {
    throw new HeedError(
      "changed-outside",
      `a memory "${memory.name}" exists already (${twin}): amend it, or choose another name`,
      { file: twin, name: memory.name },
    );
  }
  const type = fileNameOf(memory.type);
  const usual = store.kind === "attached" ? `${type}_${stem}.md` : `${folderOfType(memory.type)}/${stem}.md`;
  const place = wanted ?? usual;
  const folder = place.slice(0, place.lastIndexOf("/") + 1);
  const base = place.slice(folder.length).replace(/\.(md|markdown)$/i, "");
  const taken = new Set(namesIn(join(store.root, folder)).map(fold));
  if (own !== undefined && own.startsWith(folder)) taken.delete(fold(own.slice(folder.length)));
  for (let number = 1; ; number++) {
    const name = `${base}${number === 1 ? "" : `-${number}`}.md`;
    if (!taken.has(fold(name))) return `${folder}${name}`;
  }
}

/** Files, in the root and one folder down, that are named after a memory's name, with or without number or type. */
function filesOfStem(root: string, stem: string): string[] {
  const folders = readdirNames(root, true).filter((name) => !name.startsWith("."));
  return ["", ...folders.map((folder) => `${folder}/`)].flatMap((folder) =>
    namesIn(join(root, folder))
      .filter((name) => isNamedAfter(name, stem))
      .map((name) => folder + name),
  );
}

/** `stem`, `<type>_stem` or `stem-2`. */
function isNamedAfter(fileName: string, stem: string): boolean {
  const name = fold(fileName).replace(/\.(md|markdown)$/, "");
  if (name === stem || name.endsWith(`_${stem}`)) return true;
  return name.startsWith(`${stem}-`) && /^\d+$/.test(name.slice(stem.length + 1));
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
