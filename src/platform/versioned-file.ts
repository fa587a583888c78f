import { HeedError } from "../errors/heed-error.ts";
import { type AtomicWriteOptions, readText, writeFileAtomic } from "./atomic-file.ts";
import { type FileFormat, type NewerFile, contentOf, forgetNewer, newerAt } from "./file-formats.ts";

/**
 * The content of heed's own JSON file in the current version. Undefined when missing, damaged, or a newer
 * heed's, which `writeVersioned` leaves alone.
 */
export function readVersioned(file: string, format: FileFormat): Record<string, unknown> | undefined {
  const text = readText(file);
  return text === null ? undefined : parseVersioned(text, file, format);
}

/** Like {@link readVersioned}, of a text that was read already. */
export function parseVersioned(
  text: string,
  file: string,
  format: FileFormat,
): Record<string, unknown> | undefined {
  forgetNewer(file);
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
}

/** The refusal to touch what a newer heed has written. */
export function newerFile(newer: NewerFile): HeedError {
  return new HeedError("io-failed", wordsOf(newer), { file: newer.file, operation: "write" });
}

/** One line that says why a file is left alone. */
export function wordsOf({ file, version, known }: NewerFile): string {
  return `${file} was written by a newer heed (format ${version}, known here: ${known}) and is left as it is: update heed`;
}
