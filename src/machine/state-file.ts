import { closeSync, constants, mkdirSync, openSync, renameSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import {
  type ReadBounds,
  readRegularBytes,
  statIfThere,
  MAX_OWN_FILE_BYTES,
  readOrEmpty,
  readRegularFile,
  systemCode,
} from "./regular-file.ts";
import { type HeedError, ioFailed } from "./heed-error.ts";
import { type AtomicWriteOptions, writeFileAtomic } from "./atomic-file.ts";

/** Content of heed's own JSON file; undefined when missing, damaged, or a newer heed's. A kept format: what heed wrote last. */
export function readVersioned(file: string, format: FileFormat): Record<string, unknown> | undefined {
  return readState(file, format).content;
}

/** Like {@link readVersioned}, with what is wrong with a file that is there. Never throws. */
export function readState(file: string, format: FileFormat): Reading {
  return readOrKept(file, format.isKept === true ? () => keptOf(file) : undefined, (text, path) => {
    const content = parseVersioned(text, path, format);
    const newer = newerAt(path);
    if (!content) throw new Error(newer ? wordsOf(newer) : "it is not valid JSON");
    return content;
  });
}

/** Like {@link readVersioned}. @throws HeedError `io-failed` with the remedy for a file that must not count as empty. */
export function requireState(file: string, format: FileFormat, remedy: string): Reading["content"] {
  const { content, fault } = readState(file, format);
  if (content || !fault) return content;
  const message = `${file} is damaged (${fault.message}): repair it, or remove it and ${remedy}`;
  throw ioFailed("read", file, message);
}

/** What a file says: what is kept of it where it says something else, or nothing. Both undefined without a file. */
export interface Reading<Content = Record<string, unknown>> {
  content?: Content;
  /** `isChange`: it is whole, and not what heed last wrote or a person took over. */
  fault?: { message: string; line?: number; isChange?: true };
}

/** Reads a file whose kept copy counts while it says anything else. `parse` throws with a 0-based `line`. Never throws. */
export function readOrKept<Content>(
  file: string,
  kept: (() => string) | undefined,
  parse: (text: string, file: string) => Content,
  maxBytes: number = MAX_OWN_FILE_BYTES,
): Reading<Content> {
  const now = readOne(file, parse, maxBytes);
  const known = kept ? readOrEmpty(kept(), { maxBytes }) : "";
  // A whole one ends with a line.
  if (!known.endsWith("\n") || known === now.text) return now;
  const last = readOne(kept?.() ?? "", parse, maxBytes);
  if (!last.content || JSON.stringify(now.content) === JSON.stringify(last.content)) return now;
  const message = now.content ? "it was changed outside heed" : "it was removed outside heed";
  return { content: last.content, fault: now.fault ?? { message, isChange: true } };
}

function readOne<Content>(
  file: string,
  parse: (text: string, file: string) => Content,
  maxBytes: number,
): Reading<Content> & { text?: string } {
  try {
    const text = readRegularFile(file, { maxBytes });
    if (text.trim() === "") throw new Error("the file is empty");
    return { text, content: parse(text, file) };
  } catch (error) {
    if (systemCode(error) === "ENOENT") return {};
    const { message, line } = error as Error & { line?: number };
    return { fault: { message, ...(line !== undefined && { line: line + 1 }) } };
  }
}

export function keptOf(file: string): string {
  return `${file}.kept`;
}

/** Keeps what a file says now, also where another process writes it meanwhile. Throws what the file system throws. */
export function keepFile(file: string, kept: string, options: AtomicWriteOptions = {}): void {
  const read = (path: string): string => readOrEmpty(path, { maxBytes: MAX_OWN_FILE_BYTES });
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const text = read(file);
    const whole = text.endsWith("\n") ? text : `${text}\n`;
    if (whole === read(kept)) return;
    writeFileAtomic(kept, whole, { mode: 0o600, ...options });
  }
}

const MAX_TRIES = 5;

export function parseVersioned(
  text: string,
  file: string,
  format: FileFormat,
): Record<string, unknown> | undefined {
  found.delete(file);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return contentOf(value as Record<string, unknown>, format, file);
}

/** Writes a private JSON file with its version; a newer heed's is refused. `indent`: for files that people look at. */
export function writeVersioned(
  file: string,
  format: FileFormat,
  content: object,
  { indent, ...options }: AtomicWriteOptions & { indent?: number } = {},
): void {
  const newer = newerAt(file);
  if (newer) throw newerFile(newer);
  const text = JSON.stringify({ [format.key]: format.version, ...content }, null, indent);
  writeFileAtomic(file, `${text}\n`, { mode: 0o600, ...options });
  if (format.isKept === true) keepFile(file, keptOf(file), options);
}

export function newerFile(newer: NewerFile): HeedError {
  return ioFailed("write", newer.file, wordsOf(newer));
}

export function wordsOf({ file, version, known }: NewerFile): string {
  return `${file} was written by a newer heed (format ${version}, known here: ${known}) and is left as it is: update heed`;
}

export interface FileFormat {
  /** The version that is written; raise it when an older heed would misread what is written now. */
  readonly version: number;
  /** Under which key a file, or a line of a log, says its version. What says none is of version 1. */
  readonly key: string;
  /** It decides what is in force: what heed wrote last is kept beside it, and counts whatever else the file says. */
  readonly isKept?: boolean;
}

/** The content as the current version has it, without the version; undefined for that of a newer heed, which is noted. */
export function contentOf(
  record: Record<string, unknown>,
  format: FileFormat,
  file: string,
): Record<string, unknown> | undefined {
  const { [format.key]: said, ...rest } = record;
  const version = typeof said === "number" && said >= 1 ? Math.floor(said) : 1;
  if (version > format.version) {
    if (!found.has(file)) found.set(file, { file, version, known: format.version, isReported: false });
    return undefined;
  }
  return rest;
}

interface NewerFile {
  file: string;
  /** The version that it says, and the newest one that is known here. */
  version: number;
  known: number;
}

const found = new Map<string, NewerFile & { isReported: boolean }>();

export function newerAt(file: string): NewerFile | undefined {
  return found.get(file);
}

/** The newer files below some folders that nobody was told of yet. */
export function takeUntold(folders: readonly string[]): NewerFile[] {
  if (found.size === 0) return [];
  const untold = [...found.values()].filter(
    ({ file, isReported }) => !isReported && folders.some((folder) => file.startsWith(folder)),
  );
  for (const newer of untold) newer.isReported = true;
  return untold;
}

/** What heed keeps in its state directory: the version of each, and the key under which it is said. */
const VERSIONS = {
  sessions: [1, "v"],
  receipts: [1, "v"],
  use: [1, "v"],
  learn: [1, "v"],
  userWords: [1, "v"],
  announcements: [1, "v"],
  captureJob: [1, "version"],
  conversation: [1, "version"],
  repositories: [1, "version", true],
  stores: [1, "version", true],
  team: [1, "version"],
  teamPasswords: [1, "version"],
  approvals: [1, "format", true],
  change: [1, "version"],
  questions: [1, "version"],
  above: [1, "version"],
} as const;

/** The forms of all that heed keeps in its state directory; docs/state.md says what each holds. */
export const FORMATS: Readonly<Record<keyof typeof VERSIONS, FileFormat>> = Object.fromEntries(
  Object.entries(VERSIONS).map(([name, [version, key, isKept = false]]) => [name, { version, key, isKept }]),
) as Record<keyof typeof VERSIONS, FileFormat>;

/** A log longer than this many bytes is read from its end only: the newest lines count. */
const MAX_LOG_READ_BYTES: number = 4 * 1024 * 1024;

/** Opens a file to append to, private if new; waits for no pipe. Throws what the file system throws. */
export function openToAppend(file: string): number {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK } = constants;
  // Windows knows the last one not.
  return openSync(file, O_WRONLY | O_APPEND | O_CREAT | (O_NONBLOCK ?? 0), 0o600);
}

/** Appends JSON lines in one write, so that no process loses another's. The leading line break ends a torn line. */
export function appendEvent(file: string, format: FileFormat, ...events: readonly object[]): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const lines = events.map((event) => `${JSON.stringify({ [format.key]: format.version, ...event })}\n`);
  appendText(file, `\n${lines.join("")}`);
}

export function appendText(file: string, text: string): void {
  const handle = openToAppend(file);
  try {
    writeSync(handle, text);
  } finally {
    closeSync(handle);
  }
}

/** Sets a log aside once it is longer than `maxBytes`, in the place of the one before. Throws what the file system throws. */
export function rotateLog(file: string, maxBytes: number): void {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > maxBytes) renameSync(file, `${file}.1`);
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
  const { endsAtByte: fromByte, events: before } = isSame ? last : { endsAtByte: 0, events: [] };
  const bytes = readPart(file, { maxBytes: MAX_LOG_READ_BYTES, part: "beginning", fromByte });
  // A line that is still being written is read again.
  const wholeBytes = bytes.lastIndexOf("\n") + 1;
  const linesOf = (part: Buffer): Record<string, unknown>[] =>
    parseLines(part.toString("utf8"), format, file);
  const events = [...before, ...linesOf(bytes.subarray(0, wholeBytes))];
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
