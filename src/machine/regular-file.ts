import type { Stats } from "node:fs";
import {
  accessSync,
  existsSync,
  readdirSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  statSync,
  realpathSync,
  readlinkSync,
} from "node:fs";
import { join, resolve, basename, delimiter, dirname, relative, sep } from "node:path";
import { HeedError, ioFailed } from "./heed-error.ts";

export interface ReadBounds {
  /** A whole file that is larger is refused; of a beginning or an end so much is read. */
  maxBytes: number;
  part?: "whole" | "beginning" | "end";
  /** Of a beginning: so many bytes before it are left out. Default 0. */
  fromByte?: number;
  isLinkRefused?: boolean;
}

/** Files of heed's own may grow, but not beyond what one machine can have written: 64 MiB. */
export const MAX_OWN_FILE_BYTES: number = 64 * 1024 * 1024;

const CHUNK_BYTES = 64 * 1024;
/** Opening a pipe waits for its other end, unless this is asked for; Windows knows neither. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Opens a regular file: a device or pipe could be waited for without end. @throws HeedError `io-failed`. */
export function openRegularFile(
  path: string,
  { isLinkRefused = false }: Pick<ReadBounds, "isLinkRefused"> = {},
): { handle: number; stats: Stats } {
  // Looked at before: opening a device may already do something.
  assertRegular(path, isLinkRefused ? lstatSync(path) : statSync(path));
  const handle = openSync(path, FLAGS | (isLinkRefused ? (constants.O_NOFOLLOW ?? 0) : 0));
  try {
    // And after: another one may have taken its place.
    const stats = fstatSync(handle);
    assertRegular(path, stats);
    return { handle, stats };
  } catch (error) {
    closeSync(handle);
    throw error;
  }
}

/** Bytes of a regular file, within bounds, whatever size it claims. @throws HeedError `io-failed`. */
export function readRegularBytes(path: string, bounds: ReadBounds): Buffer {
  const { handle, stats } = openRegularFile(path, bounds);
  try {
    const { maxBytes, part = "whole", fromByte = 0 } = bounds;
    if (part === "whole" && stats.size > maxBytes) throw tooLarge(path, stats.size, maxBytes);
    const start = part === "end" ? Math.max(0, stats.size - maxBytes) : fromByte;
    const bytes = readUpTo(handle, maxBytes + (part === "whole" ? 1 : 0), start, stats.size - fromByte);
    if (part === "whole" && bytes.length > maxBytes) throw tooLarge(path, bytes.length, maxBytes);
    return bytes;
  } finally {
    closeSync(handle);
  }
}

/** Text (none over the bound) and state. Follows no link, nor one swapped in meanwhile. @throws HeedError `io-failed`. */
export function readFileBelow(
  root: string,
  file: string,
  maxBytes: number,
): { text: string | undefined; stats: Stats } {
  const { handle, stats } = openRegularFile(join(root, file), { isLinkRefused: true });
  try {
    refuseOpenedElsewhere(handle, root, file);
    const bytes = stats.size > maxBytes ? undefined : readUpTo(handle, maxBytes, 0, stats.size);
    return { text: bytes?.toString("utf8"), stats };
  } finally {
    closeSync(handle);
  }
}

export function readRegularFile(path: string, bounds: ReadBounds): string {
  return readRegularBytes(path, bounds).toString("utf8");
}

function readUpTo(handle: number, maxBytes: number, start: number, sizeBytes: number): Buffer {
  const chunks: Buffer[] = [];
  for (let length = 0; length < maxBytes;) {
    const wanted = Math.min(maxBytes - length, sizeBytes > length ? sizeBytes + 1 - length : CHUNK_BYTES);
    const chunk = Buffer.allocUnsafe(wanted);
    const count = readSync(handle, chunk, 0, wanted, start + length);
    if (count === 0) break;
    chunks.push(chunk.subarray(0, count));
    length += count;
    // A file that says its size is whole then: asking once more would only find its end.
    if (count < wanted && length === sizeBytes) break;
  }
  return chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks);
}

function assertRegular(path: string, stats: Stats): void {
  if (stats.isFile()) return;
  const what = stats.isDirectory() ? "a folder" : stats.isSymbolicLink() ? "a link" : "a device or pipe";
  const code = stats.isDirectory() ? "EISDIR" : "ENOTREG";
  throw ioFailed("read", path, `${path} is ${what} and no regular file: it is not read`, code);
}

export function tooLarge(path: string, sizeBytes: number, maxBytes: number): HeedError {
  return ioFailed("read", path, `${path} has ${sizeBytes} bytes, ${maxBytes} at most are read`, "EFBIG");
}

/** The state of a file or folder, or undefined when it cannot be had for whatever reason. */
export function statIfThere(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** A text that changes when a file is put in the place of another, or written to; `none` where there is none. */
export function stampOf(path: string): string {
  const stats = statIfThere(path);
  return stats ? `${stats.ino}-${stats.mtimeMs}-${stats.size}` : "none";
}

/** Times of files count in steps: of a clock's tick, of 10 ms at most, or of two seconds where they have no fraction. */
const STEP_MS = 20;
const COARSE_STEP_MS = 2_000;

/** When an entry of a folder changed, to compare later; NaN if just now, within its clock's step. */
export function folderChangedMs(path: string): number {
  const changedMs = statIfThere(path)?.ctimeMs ?? Number.NaN;
  const stepMs = changedMs % 1_000 === 0 ? COARSE_STEP_MS : STEP_MS;
  return Date.now() - changedMs < stepMs ? Number.NaN : changedMs;
}

/** Whether other users of the machine may look into a folder. Windows has other means, which are not looked at. */
export function isOpenToOthers(folder: string): boolean {
  return process.platform !== "win32" && ((statIfThere(folder)?.mode ?? 0) & 0o077) !== 0;
}

/** The absolute path with all symbolic links resolved; made absolute alone where it does not exist or cannot be read. */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

/** Whether a path is a folder, or in it; both absolute, as spelled. */
export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

const REMEDIES: Record<string, string> = {
  EACCES: "give yourself the permission to write there",
  EPERM: "give yourself the permission to write there",
  EROFS:
    "the file system is mounted read-only: mount it writable, or move heed's folders with HEED_DIR and HEED_STATE_DIR",
  ENOSPC: "free some space on the disk; nothing was half-written",
  EDQUOT: "your disk quota is used up: free some space; nothing was half-written",
  ENAMETOOLONG: "choose a shorter name or a shorter directory",
  ENOTDIR: "a file is in the way of a folder: move it away",
  EISDIR: "a folder is in the way of a file: move it away",
  EMFILE: "too many files are open: try again",
  ENFILE: "too many files are open: try again",
  ENOENT: "the folder is gone: `heed init` makes it again",
};

export function remedyFor(code: string | undefined): string {
  return REMEDIES[code ?? ""] ?? "check the disk and the permissions";
}

/** The code with which the nearest folder above that is there refuses a write; Node says `ENOENT` of folders it cannot make. */
export function whyNotWritable(path: string): string | undefined {
  let folder = path;
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  try {
    accessSync(folder, constants.R_OK | constants.W_OK);
    return undefined;
  } catch (error) {
    return systemCode(error);
  }
}

/** Whether a program is on the PATH; undefined where there is none. */
export function isOnPath(
  name: string,
  env: Readonly<Record<string, string | undefined>>,
): boolean | undefined {
  const folders = (env["PATH"] ?? env["Path"] ?? "").split(delimiter).filter((folder) => folder !== "");
  if (folders.length === 0) return undefined;
  const endings = process.platform === "win32" ? (env["PATHEXT"] ?? ".EXE;.CMD;.BAT;.COM").split(";") : [""];
  const files = folders.flatMap((folder) =>
    endings.map((ending) => join(folder, name + ending.toLowerCase())),
  );
  return files.some((file) => {
    try {
      accessSync(file, constants.X_OK);
      return statSync(file).isFile();
    } catch {
      return false;
    }
  });
}

export function systemCode(error: unknown): string | undefined {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return typeof code === "string" ? code : undefined;
}

/** Turns what the file system refuses into HeedError `io-failed` with file, operation and remedy. */
export function withIoErrors<T>(operation: string, file: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw asIoFailure(error, operation, file);
  }
}

export function asIoFailure(error: unknown, operation: string, file: string): unknown {
  const said = systemCode(error);
  if (said === undefined || error instanceof HeedError || !("syscall" in (error as object))) return error;
  const code = said === "ENOENT" ? (whyNotWritable(file) ?? said) : said;
  const message = `cannot ${operation} ${file} (${code}): ${remedyFor(code)}`;
  return new HeedError("io-failed", message, { file, operation, systemCode: code }, { cause: error });
}

/** Where Linux shows what a process has opened: by it a folder stays the same one, whatever its name leads to by now. */
const OPENED = "/proc/self/fd";

/** Refuses a file below a root behind a symbolic link. @throws HeedError `io-failed`. */
export function refuseLinks(root: string, file: string): void {
  const parts = file.split("/");
  for (let depth = 1; depth < parts.length; depth++) {
    const folder = join(root, ...parts.slice(0, depth));
    if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink())
      throw behindLink(`${folder} is`, join(root, file));
  }
}

/** Refuses what was opened through a folder that was a link in that moment. Off Linux looks at the way once more. */
export function refuseOpenedElsewhere(handle: number, root: string, file: string): void {
  const opened = pathOf(handle);
  if (opened === undefined) return refuseLinks(root, file);
  const suffix = file === "" ? "" : `/${file}`;
  const folder = opened.slice(0, opened.length - suffix.length);
  if (opened.endsWith(suffix) && (folder === root || folder === realPathOf(root))) return;
  throw behindLink(`${dirname(join(root, file))} is or was`, join(root, file));
}

/** Runs a task in the very folder, whatever its name leads to meanwhile. Off Linux looks before and after. */
export function inFolderOf<T>(path: string, root: string, task: (path: string) => T): T {
  const file = relative(root, path).replaceAll(sep, "/");
  if (!file.includes("/")) return task(path);
  refuseLinks(root, file);
  const handle = process.platform === "linux" ? openSync(dirname(path), constants.O_DIRECTORY) : undefined;
  try {
    if (handle === undefined || pathOf(handle) === undefined) {
      const result = task(path);
      refuseLinks(root, file);
      return result;
    }
    refuseOpenedElsewhere(handle, root, dirname(file));
    return task(join(OPENED, String(handle), basename(path)));
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** Where a file or folder is that is open, or undefined where the system does not say. */
function pathOf(handle: number): string | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    // One that was replaced since is shown so; it was there when it was opened.
    return readlinkSync(`${OPENED}/${handle}`).replace(/ \(deleted\)$/, "");
  } catch {
    return undefined;
  }
}

function behindLink(what: string, file: string): HeedError {
  const message = `${what} a symbolic link, and heed does not read or write through one: put a real folder there`;
  return ioFailed("open", file, message);
}

/** The text of a file as far as it can be read; empty where it cannot. Options as for {@link readRegularFile}. */
export function readOrEmpty(...args: Parameters<typeof readRegularFile>): string {
  try {
    return readRegularFile(...args);
  } catch {
    return "";
  }
}

/** The names of what lies in a folder, in order; none where it cannot be read. */
export function namesInFolder(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
