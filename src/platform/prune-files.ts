import { readdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { statIfThere } from "./regular-file.ts";

/** A file that is kept for a while. */
export interface DatedFile {
  file: string;
  /** Without its ending. */
  name: string;
  mtimeMs: number;
}

/** The files of a folder with this ending, the one written last first; none where the folder cannot be read. */
export function newestFiles(folder: string, ending: string): DatedFile[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names
    .filter((name) => name.endsWith(ending))
    .flatMap((name): DatedFile[] => {
      const file = join(folder, name);
      const stats = statIfThere(file);
      return stats ? [{ file, name: name.slice(0, -ending.length), mtimeMs: stats.mtimeMs }] : [];
    })
    .sort((a, b) => b.mtimeMs - a.mtimeMs || (a.name < b.name ? -1 : 1));
}

/** Removes the files written before `oldestMs`, and the oldest ones beyond `most`. Never throws. */
export function pruneFiles(files: readonly DatedFile[], oldestMs: number, most: number): void {
  for (const [i, { file, mtimeMs }] of files.entries()) {
    if (i < most && mtimeMs >= oldestMs) continue;
    try {
      unlinkSync(file);
    } catch {
      // Another process may have pruned it first.
    }
  }
}
