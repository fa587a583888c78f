import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Problem } from "../../errors/problem.ts";
import { isMemoryFile } from "../../memory/memory-file.ts";
import { statIfThere } from "../../platform/stat-if-there.ts";

/** The memory files and folders of a store, relative to its root and sorted. */
export interface StoreWalk {
  files: string[];
  folders: FolderState[];
  problems: Problem[];
}

/** A file with what a cheap test for change compares. */
export interface FileState {
  file: string;
  mtimeMs: number;
  sizeBytes: number;
}

/** A folder with the time at which an entry of it, or its own name, last changed. The root of a store is "". */
export interface FolderState {
  folder: string;
  /** No time that a person can set (ctime). NaN, which equals nothing, where it tells nothing: see {@link folderState}. */
  changedMs: number;
}

/** Times of files count in steps: of a clock's tick, of 10 ms at most, or of two seconds where they have no fraction. */
const STEP_MS = 20;
const COARSE_STEP_MS = 2_000;

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
    // Before it is listed: what changes while it is read then differs from this at the next look.
    const state = folderState(root, folder);
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
    walk.folders.push(state);
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
  return walk;
}

/** The state of a folder to compare later; NaN if it changed just now, within its clock's step. */
export function folderState(root: string, folder: string): FolderState {
  const changedMs = statIfThere(join(root, folder))?.ctimeMs ?? Number.NaN;
  const stepMs = changedMs % 1_000 === 0 ? COARSE_STEP_MS : STEP_MS;
  return { folder, changedMs: Date.now() - changedMs < stepMs ? Number.NaN : changedMs };
}

/** The states of these files; those that are gone are left out. */
export function fileStates(root: string, names: readonly string[]): FileState[] {
  const states: FileState[] = [];
  for (const file of names) {
    const stats = statIfThere(join(root, file));
    if (stats) states.push({ file, mtimeMs: stats.mtimeMs, sizeBytes: stats.size });
  }
  return states;
}
