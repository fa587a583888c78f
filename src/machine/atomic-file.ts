import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import {
  inFolderOf,
  systemCode,
  withIoErrors,
  MAX_OWN_FILE_BYTES,
  readRegularFile,
  statIfThere,
  namesInFolder,
} from "./regular-file.ts";

const NEW_MODE = 0o644;

export interface AtomicWriteOptions {
  /** Names the draft, so that one of a dead writer can be removed (see `removeDraft`). Default: unique. */
  draftId?: string;
  /** No link between this folder, where the draft lies, and the file is followed, whenever it came there. Default: links are. */
  below?: string;
  /** Permission bits of a new file; an existing one keeps its own. Default 0o644. A private file gets private folders. */
  mode?: number;
  /** Wait until the disk has it. Default true; false for files that can be derived again. */
  isDurable?: boolean;
  /** Whoever writes many files has their folders synced once, by `syncFoldersOf`. Default false. */
  isFolderSyncedLater?: boolean;
  /** A last look at the file when all is prepared; what it throws cancels the write. */
  beforeRename?: () => void;
}

/** Replaces a file in one step, after a crash too: draft, fsync, rename, fsync of the folder. @throws HeedError `io-failed`. */
export function writeFileAtomic(
  path: string,
  content: string | Uint8Array,
  options: AtomicWriteOptions = {},
): void {
  withIoErrors("write", path, () => {
    const folder = options.below ?? dirname(path);
    const draft = draftOf(path, options.draftId ?? uniqueName(), folder);
    const isDurable = options.isDurable ?? true;
    makeFolder(dirname(path), isDurable, options.mode);
    try {
      const mode = statIfThere(path)?.mode ?? options.mode ?? NEW_MODE;
      writeWhole(draft, content, mode & 0o777, isDurable);
      options.beforeRename?.();
      inFolderOf(path, folder, (target) => renameSync(draft, target));
    } catch (error) {
      removeQuietly(draft);
      throw error;
    }
    if (isDurable && options.isFolderSyncedLater !== true) syncFolder(dirname(path));
  });
}

export function syncFoldersOf(paths: readonly string[]): void {
  for (const folder of new Set(paths.map((path) => dirname(path))))
    withIoErrors("write", folder, () => syncFolder(folder));
}

/** Makes a file in one step; false where one is there. Of several processes one succeeds. @throws HeedError `io-failed`. */
export function createFileAtomic(path: string, text: string, options: { mode?: number } = {}): boolean {
  return withIoErrors("write", path, () => {
    const draft = draftOf(path, uniqueName());
    makeFolder(dirname(path), true, options.mode);
    try {
      writeWhole(draft, text, options.mode ?? NEW_MODE, true);
      // A second name for the draft: unlike a rename, it never takes the place of another file.
      linkSync(draft, path);
    } catch (error) {
      if (systemCode(error) === "EEXIST") return false;
      throw error;
    } finally {
      removeQuietly(draft);
    }
    syncFolder(dirname(path));
    return true;
  });
}

/** Makes a file of pieces as they come, whole or not at all; undefined where one is there. What fails is thrown as it is. */
export async function createFileInPieces<T>(
  path: string,
  fill: (write: (text: string) => void) => Promise<T>,
): Promise<T | undefined> {
  if (existsSync(path)) return undefined;
  makeFolder(dirname(path), false);
  const draft = draftOf(path, uniqueName());
  const handle = openSync(draft, "wx", 0o600);
  try {
    let result: T;
    try {
      result = await fill((text) => writeFileSync(handle, text));
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    if (existsSync(path)) return undefined;
    renameSync(draft, path);
    return result;
  } finally {
    removeQuietly(draft);
  }
}

/** Removes a file durably; one that is gone already is fine. `below` as for {@link writeFileAtomic}. */
export function removeFile(
  path: string,
  { below = dirname(path) }: Pick<AtomicWriteOptions, "below"> = {},
): void {
  withIoErrors("remove", path, () => {
    try {
      inFolderOf(path, below, (target) => unlinkSync(target));
    } catch (error) {
      if (systemCode(error) !== "ENOENT") throw error;
      return;
    }
    syncFolder(dirname(path));
  });
}

export function removeDraft(path: string, draftId: string, folder: string): void {
  rmSync(draftOf(path, draftId, folder), { force: true });
}

/** The text of a file, or null when there is none. A symbolic link counts as none: writes do not follow it. */
export function readText(path: string): string | null {
  return withIoErrors("read", path, () => {
    try {
      if (!lstatSync(path).isFile()) return null;
      return readRegularFile(path, { maxBytes: MAX_OWN_FILE_BYTES, isLinkRefused: true });
    } catch (error) {
      const code = systemCode(error);
      if (code === "ENOENT" || code === "ENOTDIR") return null;
      throw error;
    }
  });
}

/** The failure that made a draft useless is the one to tell, not that the draft cannot be removed either. */
function removeQuietly(draft: string): void {
  try {
    rmSync(draft, { force: true });
  } catch {}
}

export function moveFile(from: string, to: string): void {
  withIoErrors("move", from, () => {
    makeFolder(dirname(to), true);
    renameSync(from, to);
    syncFolder(dirname(to));
    if (dirname(from) !== dirname(to)) syncFolder(dirname(from));
  });
}

function draftOf(path: string, draftId: string, folder = dirname(path)): string {
  return join(folder, `.heed-${draftId}-${basename(path).slice(0, 60)}.tmp`);
}

function makeFolder(folder: string, isDurable: boolean, mode = NEW_MODE): void {
  const isPrivate = (mode & 0o077) === 0;
  const first = mkdirSync(folder, { recursive: true, mode: isPrivate ? 0o700 : 0o777 });
  if (first !== undefined && isDurable) syncFolder(dirname(first));
}

function writeWhole(path: string, content: string | Uint8Array, mode: number, isDurable: boolean): void {
  // `wx`: never through a symbolic link that somebody planted under the draft's name.
  rmSync(path, { force: true });
  const handle = openSync(path, "wx", mode);
  try {
    writeFileSync(handle, content);
    if (isDurable) fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Windows cannot open a folder for fsync, and some network file systems refuse it: the rename is then all there is. */
function syncFolder(folder: string): void {
  try {
    const handle = openSync(folder, "r");
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    if (systemCode(error) === "EIO" || systemCode(error) === "ENOSPC") throw error;
  }
}

/** A name that no other process or call uses, without the cost of loading node:crypto. */
export function uniqueName(): string {
  const random = Math.floor(Math.random() * 0x1_00_00_00_00).toString(36);
  return `${Date.now().toString(36)}-${process.pid.toString(36)}-${random}`;
}

export interface DatedFile {
  file: string;
  name: string;
  mtimeMs: number;
  sizeBytes: number;
}

/** How much of dated files is kept: what goes beyond any of these goes, the oldest first. */
export interface Kept {
  oldestMs?: number;
  files?: number;
  bytes?: number;
}

/** The files of a folder with this ending, the one written last first; none where the folder cannot be read. */
export function newestFiles(folder: string, ending: string): DatedFile[] {
  return namesInFolder(folder)
    .filter((name) => name.endsWith(ending))
    .flatMap((name): DatedFile[] => {
      const file = join(folder, name);
      const stats = statIfThere(file);
      return stats
        ? [{ file, name: name.slice(0, -ending.length), mtimeMs: stats.mtimeMs, sizeBytes: stats.size }]
        : [];
    })
    .sort((a, b) => b.mtimeMs - a.mtimeMs || (a.name < b.name ? -1 : 1));
}

/** Removes the oldest of files that come newest first. Never throws. */
export function pruneFiles(files: readonly DatedFile[], kept: Kept): void {
  const { oldestMs = 0, files: most = Infinity, bytes: room = Infinity } = kept;
  let bytes = 0;
  for (const [i, { file, mtimeMs, sizeBytes }] of files.entries()) {
    bytes += sizeBytes;
    // The newest stays, however large it is.
    if (i < most && mtimeMs >= oldestMs && (bytes <= room || i === 0)) continue;
    try {
      unlinkSync(file);
    } catch {}
  }
}
