import type { Stats } from "node:fs";
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { HeedError } from "../errors/heed-error.ts";
import { refuseOpenedElsewhere } from "./below-root.ts";
import { statIfThere } from "./stat-if-there.ts";

/** How much of a file is read, and of which. */
export interface ReadBounds {
  /** A whole file that is larger is refused; of a beginning or an end so much is read. */
  maxBytes: number;
  /** Which part. Default `whole`. */
  part?: "whole" | "beginning" | "end";
  /** Of a beginning: so many bytes before it are left out. Default 0. */
  fromByte?: number;
  /** Refuse a symbolic link. Default false. */
  isLinkRefused?: boolean;
}

/** Files of heed's own may grow, but not beyond what one machine can have written: 64 MiB. */
export const MAX_OWN_FILE_BYTES: number = 64 * 1024 * 1024;

const CHUNK_BYTES = 64 * 1024;
/** Opening a pipe waits for its other end, unless this is asked for; Windows knows neither. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Opens a regular file for reading. A device, a pipe or a socket may stand in its place, brought by a clone as a link, or
 * named by whoever calls: opening one could wait for ever, and reading it never ends.
 *
 * @throws HeedError `io-failed` for anything but a regular file; else what the file system throws.
 */
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

/**
 * The bytes of a regular file, within bounds. What a file says of its size is not relied on: one that grows meanwhile, or
 * that is made while it is read, ends at the bound too.
 *
 * @throws HeedError `io-failed` for anything but a regular file, and for a whole one over the bound; else what the file
 *   system throws.
 */
export function readRegularBytes(path: string, bounds: ReadBounds): Buffer {
  const { handle, stats } = openRegularFile(path, bounds);
  try {
    const { maxBytes, part = "whole", fromByte = 0 } = bounds;
    if (part === "whole" && stats.size > maxBytes) throw tooLarge(path, stats.size, maxBytes);
    const start = part === "end" ? Math.max(0, stats.size - maxBytes) : fromByte;
    const bytes = readUpTo(handle, maxBytes + (part === "whole" ? 1 : 0), {
      start,
      sizeBytes: stats.size - fromByte,
    });
    if (part === "whole" && bytes.length > maxBytes) throw tooLarge(path, bytes.length, maxBytes);
    return bytes;
  } finally {
    closeSync(handle);
  }
}

/**
 * The text of a file below a root, with its state when it was opened: what is recorded of it then is of the bytes that
 * were read. No link is followed, also none that was on the way in that moment alone.
 *
 * @param file relative to the root, with slashes.
 * @returns no text for a file over the bound.
 * @throws HeedError `io-failed` for anything but a regular file, and for what lies behind a link; else what the file
 *   system throws.
 */
export function readFileBelow(
  root: string,
  file: string,
  maxBytes: number,
): { text: string | undefined; stats: Stats } {
  const { handle, stats } = openRegularFile(join(root, file), { isLinkRefused: true });
  try {
    refuseOpenedElsewhere(handle, root, file);
    const bytes =
      stats.size > maxBytes ? undefined : readUpTo(handle, maxBytes, { start: 0, sizeBytes: stats.size });
    return { text: bytes?.toString("utf8"), stats };
  } finally {
    closeSync(handle);
  }
}

/** {@link readRegularBytes} as UTF-8 text. */
export function readRegularFile(path: string, bounds: ReadBounds): string {
  return readRegularBytes(path, bounds).toString("utf8");
}

/** The text of what is open already, of any kind, within a bound. */
export function readOpened(handle: number, name: string, maxBytes: number): string {
  const bytes = readUpTo(handle, maxBytes + 1);
  if (bytes.length > maxBytes) throw tooLarge(name, bytes.length, maxBytes);
  return bytes.toString("utf8");
}

/** A stream is read from where it stands, a file from `start`. */
function readUpTo(
  handle: number,
  maxBytes: number,
  { start, sizeBytes = 0 }: { start?: number; sizeBytes?: number } = {},
): Buffer {
  const chunks: Buffer[] = [];
  for (let length = 0; length < maxBytes;) {
    const wanted = Math.min(maxBytes - length, sizeBytes > length ? sizeBytes + 1 - length : CHUNK_BYTES);
    const chunk = Buffer.allocUnsafe(wanted);
    const count = readOnce(handle, chunk, start === undefined ? null : start + length);
    if (count === 0) break;
    chunks.push(chunk.subarray(0, count));
    length += count;
    // A file that says its size is whole then: asking once more would only find its end.
    if (count < wanted && length === sizeBytes) break;
  }
  return chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks);
}

function readOnce(handle: number, chunk: Buffer, position: number | null): number {
  for (;;) {
    try {
      return readSync(handle, chunk, 0, chunk.length, position);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // What Windows says at the end of a pipe.
      if (code === "EOF") return 0;
      // A terminal or pipe that was left non-blocking: what is typed is on its way.
      if (code !== "EAGAIN" || position !== null) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

/** What stands in a file's place, in words; undefined for a regular file, a folder, and where nothing is. */
export function notRegular(path: string): string | undefined {
  const stats = statIfThere(path);
  return stats && !stats.isFile() && !stats.isDirectory() ? `${path} is ${whatIs(stats)}` : undefined;
}

function whatIs(stats: Stats): string {
  return `${stats.isDirectory() ? "a folder" : stats.isSymbolicLink() ? "a link" : "a device or pipe"} and no regular file`;
}

function assertRegular(path: string, stats: Stats): void {
  if (stats.isFile()) return;
  throw new HeedError("io-failed", `${path} is ${whatIs(stats)}: it is not read`, {
    file: path,
    operation: "read",
    systemCode: stats.isDirectory() ? "EISDIR" : "ENOTREG",
  });
}

/** What is said of more than is read. */
export function tooLarge(path: string, sizeBytes: number, maxBytes: number): HeedError {
  return new HeedError("io-failed", `${path} has ${sizeBytes} bytes, ${maxBytes} at most are read`, {
    file: path,
    operation: "read",
    systemCode: "EFBIG",
  });
}
