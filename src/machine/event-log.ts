import { closeSync, constants, mkdirSync, openSync, renameSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { type FileFormat, contentOf } from "./versioned-file.ts";
import { type ReadBounds, readRegularBytes, statIfThere } from "./regular-file.ts";

/** A log longer than this many bytes is read from its end only: the newest lines count. */
const MAX_LOG_READ_BYTES: number = 4 * 1024 * 1024;

/** Opens a file to append to, private if new; waits for no pipe. Throws what the file system throws. */
export function openToAppend(file: string): number {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK } = constants;
  // Windows knows the last one not.
  return openSync(file, O_WRONLY | O_APPEND | O_CREAT | (O_NONBLOCK ?? 0), 0o600);
}

/**
 * Appends JSON lines in one write, so that processes do not lose each other's. The leading line break ends a torn line.
 * Makes private folders. Throws what the file system throws.
 */
export function appendEvent(file: string, format: FileFormat, ...events: readonly object[]): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const lines = events.map((event) => `${JSON.stringify({ [format.key]: format.version, ...event })}\n`);
  appendText(file, `\n${lines.join("")}`);
}

/** Appends text in one `write`. Throws what the file system throws. */
export function appendText(file: string, text: string): void {
  const handle = openToAppend(file);
  try {
    writeSync(handle, text);
  } finally {
    closeSync(handle);
  }
}

/** Sets a log aside once it is longer than `maxBytes`, in the place of the one before. Throws what the file system throws. */
export function rotateLog(file: string, maxBytes: number, aside = `${file}.1`): void {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > maxBytes) renameSync(file, aside);
}

/** Events of a log, oldest first, from its last `maxBytes`. Skips torn lines and a newer heed's. */
export function readEvents(
  file: string,
  format: FileFormat,
  maxBytes: number = MAX_LOG_READ_BYTES,
): Record<string, unknown>[] {
  return parseLines(readPart(file, { maxBytes, part: "end" }).toString("utf8"), format, file);
}

interface ReadLog {
  /** Which file it was, and how long when it was read. */
  identity: string;
  sizeBytes: number;
  /** What was read is whole lines up to here. */
  endsAtByte: number;
  events: readonly Record<string, unknown>[];
}

/** By file, the one read last at the end: a process that stays follows the session that it serves, and few others. */
const followed = new Map<string, ReadLog>();
const MAX_FOLLOWED = 3;

/** Like {@link readEvents} for a log that only grows or is replaced: a process that asks again reads what was added. */
export function followEvents(file: string, format: FileFormat): readonly Record<string, unknown>[] {
  const stats = statIfThere(file);
  const last = followed.get(file);
  followed.delete(file);
  // Of a longer one the beginning does not count any more.
  if (!stats || stats.size > MAX_LOG_READ_BYTES) return readEvents(file, format);
  const identity = `${stats.ino}-${stats.birthtimeMs}`;
  const isSame = last?.identity === identity && last.sizeBytes <= stats.size;
  const before = isSame ? last : { endsAtByte: 0, events: [] };
  if (isSame && last.endsAtByte === stats.size) {
    followed.set(file, last);
    return last.events;
  }
  const fromByte = before.endsAtByte;
  const bytes = readPart(file, { maxBytes: MAX_LOG_READ_BYTES, part: "beginning", fromByte });
  // A line that is still being written is read again.
  const wholeBytes = bytes.lastIndexOf("\n") + 1;
  const linesOf = (part: Buffer): Record<string, unknown>[] =>
    parseLines(part.toString("utf8"), format, file);
  const events = [...before.events, ...linesOf(bytes.subarray(0, wholeBytes))];
  followed.set(file, { identity, sizeBytes: stats.size, endsAtByte: fromByte + wholeBytes, events });
  const [oldest] = followed.keys();
  if (followed.size > MAX_FOLLOWED && oldest !== undefined) followed.delete(oldest);
  return wholeBytes === bytes.length ? events : [...events, ...linesOf(bytes.subarray(wholeBytes))];
}

function parseLines(text: string, format: FileFormat, file: string): Record<string, unknown>[] {
  return text.split("\n").flatMap((line): Record<string, unknown>[] => {
    if (!line.startsWith("{")) return [];
    try {
      const event = contentOf(JSON.parse(line) as Record<string, unknown>, format, file);
      return event ? [event] : [];
    } catch {
      return [];
    }
  });
}

function readPart(file: string, bounds: ReadBounds): Buffer {
  try {
    return readRegularBytes(file, bounds);
  } catch {
    return Buffer.alloc(0);
  }
}
