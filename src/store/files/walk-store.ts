import type { Dirent } from "node:fs";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Problem } from "../../errors/problem.ts";
import { isMemoryFile } from "../../memory/memory-file.ts";
import { statIfThere } from "../../platform/stat-if-there.ts";

/** The memory files and folders of a store, relative to its root and sorted; the root itself is the folder "". */
export interface StoreWalk {
  files: string[];
  folders: string[];
  problems: Problem[];
}

/** A file or folder with what a cheap test for change compares. */
export interface FileState {
  file: string;
  mtimeMs: number;
  /** 0 for a folder. */
  sizeBytes: number;
}

/** Folders deeper than this are left out, as are more files than this, with a problem: a store is no file system. */
const MAX_DEPTH = 8;
const MAX_FILES = 250_000;

/** Lists a store in any nesting. Hidden folders (tombstones, git) are left out; an
 * unreadable folder, a symbolic link and what is beyond the limits are problems.
 *
 * @param maxFiles default 250,000. */
export function walkStore(root: string, maxFiles: number = MAX_FILES): StoreWalk {
  const walk: StoreWalk = { files: [], folders: [], problems: [] };
  const leaveOut = (problem: Omit<Problem, "message">, message: string): void => {
    // Once is enough: what is too much is too much many times.
    if (!walk.problems.some(({ code }) => code === problem.code)) walk.problems.push({ ...problem, message });
  };
  const visit = (folder: string, depth: number): void => {
    let entries: Dirent[];
    try {
      entries = readdirSync(join(root, folder), { withFileTypes: true });
    } catch (error) {
      // A store that is not there has no memories; a folder in it that cannot be read hides some.
      if (folder !== "")
        walk.problems.push({
          file: folder,
          severity: "error",
          code: "unreadable",
          message: String(error),
          remedy: "mend the permissions of the folder",
        });
      return;
    }
    walk.folders.push(folder);
    for (const entry of entries) {
      if (entry.name.startsWith(".")) continue;
      const file = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isSymbolicLink()) {
        walk.problems.push({
          file,
          severity: "warning",
          code: "symlink",
          message: "a symbolic link, which is not followed: it may lead out of the store",
          remedy: "put the file itself here, or attach the directory that it leads to",
        });
      } else if (entry.isDirectory()) {
        if (depth < MAX_DEPTH) visit(file, depth + 1);
        else
          leaveOut(
            { file, severity: "warning", code: "too-deep", remedy: "move it up, if it holds memories" },
            `what is more than ${MAX_DEPTH} folders deep is not read`,
          );
      } else if (entry.isFile() && isMemoryFile(entry.name)) {
        if (walk.files.length < maxFiles) walk.files.push(file);
        else
          leaveOut(
            { file, severity: "error", code: "too-many-files", remedy: "split the store" },
            `${maxFiles} files at most are read: this one is not, nor are those after it`,
          );
      }
    }
  };
  visit("", 0);
  walk.files.sort();
  walk.folders.sort();
  return walk;
}

/** The states of these files or folders; those that are gone are left out. */
export function statAll(root: string, names: readonly string[]): FileState[] {
  const states: FileState[] = [];
  for (const file of names) {
    const stats = statIfThere(join(root, file));
    if (!stats) continue;
    states.push({ file, mtimeMs: stats.mtimeMs, sizeBytes: stats.isDirectory() ? 0 : stats.size });
  }
  return states;
}
