import { readdirSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { HeedError } from "../../machine/heed-error.ts";
import type { ForeignSource } from "../formats/import-format.ts";
import { withIoErrors, readRegularBytes } from "../../machine/regular-file.ts";
import { withDatabase } from "../../machine/read-database.ts";

const MAX_FILES = 20_000;
const MAX_DEPTH = 8;
/** An export of 10,000 records has some 20 MB. */
const MAX_BYTES = 200_000_000;
const MAX_MARKDOWN_BYTES = 5_000_000;
const NOT_ENTERED = new Set([".git", "node_modules", ".obsidian", "hermes-agent", "venv", ".venv"]);

/**
 * What lies at a path, to be imported. Links are not followed, and only regular files of a bounded size are read.
 *
 * @throws HeedError `invalid-input` when there is nothing at the path; `io` when it may not be read.
 */
export function openSource(path: string): ForeignSource {
  const root = resolve(path);
  const stats = withIoErrors("open", root, () => statSync(root, { throwIfNoEntry: false }));
  if (!stats?.isFile() && !stats?.isDirectory())
    throw new HeedError("invalid-input", `there is no file or folder at ${root}: give the path of one`, {
      argument: "from",
      value: path,
    });
  const isFile = stats.isFile();
  const pathOf = (file: string): string => (isFile ? root : join(root, file));
  return {
    path: root,
    name: basename(root),
    isFile,
    files: isFile ? [basename(root)] : filesBelow(root),
    read: (file) => readText(pathOf(file)),
    query: async (file, sql) => withDatabase(pathOf(file), (ask) => ask(sql)),
  };
}

function filesBelow(root: string): string[] {
  const files: string[] = [];
  const visit = (folder: string, depth: number): void => {
    let entries;
    try {
      entries = readdirSync(join(root, folder), { withFileTypes: true });
    } catch {
      return;
    }
    for (const entry of entries) {
      const file = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isFile() && files.length < MAX_FILES) files.push(file);
      else if (entry.isDirectory() && depth < MAX_DEPTH && !NOT_ENTERED.has(entry.name))
        visit(file, depth + 1);
    }
  };
  visit("", 0);
  return files.sort();
}

function readText(path: string): string | undefined {
  const maxBytes = /\.(?:md|mdc|txt)$/i.test(path) ? MAX_MARKDOWN_BYTES : MAX_BYTES;
  try {
    const bytes = readRegularBytes(path, { maxBytes, isLinkRefused: true });
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
