import { HeedError } from "./heed-error.ts";
import { type AtomicWriteOptions, writeFileAtomic } from "./atomic-file.ts";
import { MAX_OWN_FILE_BYTES, readOrEmpty, readRegularFile, systemCode } from "./regular-file.ts";

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
  const message = `${file} is damaged (${fault.message}): mend it, or remove it and ${remedy}`;
  throw new HeedError("io-failed", message, { file, operation: "read" });
}

/** What a file says: what is kept of it where it says something else, or nothing. Both undefined without a file. */
export interface Reading<Content = Record<string, unknown>> {
  content?: Content;
  /** `isChange`: it is whole, and not what heed last wrote or a person took over. */
  fault?: { message: string; line?: number; isChange?: true };
}

/**
 * Reads a file that decides something. Its kept copy counts while the file says anything else.
 * `parse` throws where a text is broken, with the 0-based `line`. Never throws itself.
 */
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

/** Where the last good state of a file of heed's own is kept. */
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

/** Like {@link readVersioned}, of a text that was read already. */
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

/**
 * Writes a private JSON file with its version. Read it before: a newer heed's is refused (HeedError `io-failed`).
 * `indent`: for files that people look at; default none.
 */
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
  return new HeedError("io-failed", wordsOf(newer), { file: newer.file, operation: "write" });
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

/** What was found of a newer version in this process at a path. */
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
  backfill: [1, "v"],
  captureJob: [1, "version"],
  captureProgress: [1, "version"],
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
