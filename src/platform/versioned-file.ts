import { HeedError } from "../errors/heed-error.ts";
import { type AtomicWriteOptions, writeFileAtomic } from "./atomic-file.ts";
import { MAX_OWN_FILE_BYTES, readRegularFile, systemCode } from "./regular-file.ts";

/**
 * The content of heed's own JSON file in the current version. Undefined when missing, damaged, or a newer
 * heed's, which `writeVersioned` leaves alone; of a format that is kept, what was last good.
 */
export function readVersioned(file: string, format: FileFormat): Record<string, unknown> | undefined {
  return readState(file, format).content;
}

/** Like {@link readVersioned}, with the reason why a file that is there cannot be read. Never throws. */
export function readState(
  file: string,
  format: FileFormat,
): { content: Record<string, unknown> | undefined; fault?: string } {
  let fault: string;
  try {
    const text = readRegularFile(file, { maxBytes: MAX_OWN_FILE_BYTES });
    const content = parseVersioned(text, file, format);
    if (content) return { content };
    const newer = newerAt(file);
    fault = newer ? wordsOf(newer) : text.trim() === "" ? "the file is empty" : "it is not valid JSON";
  } catch (error) {
    if (systemCode(error) === "ENOENT") return { content: undefined };
    fault = error instanceof Error ? error.message : String(error);
  }
  const kept =
    format.isKept === true ? readState(keptOf(file), { ...format, isKept: false }).content : undefined;
  return { content: kept, fault };
}

/** Where the last good state of a file is kept. */
function keptOf(file: string): string {
  return `${file}.kept`;
}

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
 * Writes a JSON file of heed's own with its version, private to the user. Whoever calls it has read the file before.
 *
 * @param options.indent for files that people look at; default: none.
 * @throws HeedError `io-failed`, also for a file that was found to be a newer heed's.
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
  if (format.isKept === true) writeFileAtomic(keptOf(file), `${text}\n`, { mode: 0o600, ...options });
}

/** Keeps the state that a file has now, where a heed that kept none has written it. Throws what the file system throws. */
export function keepState(file: string, format: FileFormat): void {
  const { content, fault } = readState(file, format);
  const kept = { ...format, isKept: false };
  if (!content || fault !== undefined) return;
  if (JSON.stringify(readVersioned(keptOf(file), kept)) !== JSON.stringify(content))
    writeVersioned(keptOf(file), kept, content);
}

/** The refusal to touch what a newer heed has written. */
export function newerFile(newer: NewerFile): HeedError {
  return new HeedError("io-failed", wordsOf(newer), { file: newer.file, operation: "write" });
}

/** One line that says why a file is left alone. */
export function wordsOf({ file, version, known }: NewerFile): string {
  return `${file} was written by a newer heed (format ${version}, known here: ${known}) and is left as it is: update heed`;
}

/** The form of one kind of file that heed keeps for itself. */
export interface FileFormat {
  /** The version that is written; raise it when an older heed would misread what is written now. */
  readonly version: number;
  /** Under which key a file, or a line of a log, says its version. What says none is of version 1. */
  readonly key: string;
  /** It decides what is in force: what was last good is kept beside it, and counts where it cannot be read. */
  readonly isKept?: boolean;
  /** What makes of each older version the next one: the first makes version 2 of version 1. */
  readonly upgrades?: readonly Upgrade[];
}

type Upgrade = (content: Record<string, unknown>) => Record<string, unknown>;

/** The content as the current version has it, without the version; undefined for that of a newer heed, which is noted. */
export function contentOf(
  record: Record<string, unknown>,
  format: FileFormat,
  file: string,
): Record<string, unknown> | undefined {
  const { [format.key]: said, ...rest } = record;
  const version = typeof said === "number" && said >= 1 ? Math.floor(said) : 1;
  if (version > format.version) {
    noteNewer({ file, version, known: format.version });
    return undefined;
  }
  return (format.upgrades ?? []).slice(version - 1).reduce((content, upgrade) => upgrade(content), rest);
}

interface NewerFile {
  file: string;
  /** The version that it says, and the newest one that is known here. */
  version: number;
  known: number;
}

const found = new Map<string, NewerFile & { isReported: boolean }>();

function noteNewer(newer: NewerFile): void {
  if (!found.has(newer.file)) found.set(newer.file, { ...newer, isReported: false });
}

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
  guards: [1, "v"],
  learn: [1, "v"],
  userWords: [1, "v"],
  announcements: [1, "v"],
  backfill: [1, "v"],
  captureJob: [1, "version"],
  captureProgress: [1, "version"],
  conversation: [1, "version"],
  repositories: [1, "version", "kept"],
  stores: [1, "version", "kept"],
  scrubbed: [1, "format", "kept"],
  approvals: [1, "format", "kept"],
  change: [1, "version"],
  questions: [1, "version"],
} as const;

/** The forms of all that heed keeps in its state directory; docs/state.md says what each holds. */
export const FORMATS: Readonly<Record<keyof typeof VERSIONS, FileFormat>> = Object.fromEntries(
  Object.entries(VERSIONS).map(([name, [version, key, kept]]) => [
    name,
    { version, key, isKept: kept === "kept" },
  ]),
) as Record<keyof typeof VERSIONS, FileFormat>;
