import { closeSync, mkdirSync, openSync, renameSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import type { FileFormat } from "./file-format.ts";
import { contentOf } from "./file-format.ts";
import { readRegularFile } from "./regular-file.ts";

/** A log longer than this many bytes is read from its end only: the newest lines count. */
export const MAX_LOG_READ_BYTES: number = 4 * 1024 * 1024;

/**
 * Appends one event as a JSON line. One `write` in append mode, so that processes that append at the same time never
 * lose each other's lines; it begins with a line break, so that a line torn by a killed writer spoils itself only.
 * Makes missing folders, private to the user. Throws what the file system throws.
 */
export function appendEvent(file: string, format: FileFormat, event: object): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const handle = openSync(file, "a", 0o600);
  try {
    writeSync(handle, `\n${JSON.stringify({ [format.key]: format.version, ...event })}\n`);
  } finally {
    closeSync(handle);
  }
}

/** Sets a log aside once it is longer than `maxBytes`, in the place of the one before. Throws what the file system throws. */
export function rotateLog(file: string, maxBytes: number, aside = `${file}.1`): void {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > maxBytes) renameSync(file, aside);
}

/**
 * The events of a log, oldest first. A missing file is an empty log; torn lines and lines that are no object are
 * skipped, and so are those of a newer heed, which is noted. Reads at most `maxBytes` from the end.
 */
export function readEvents(
  file: string,
  format: FileFormat,
  maxBytes: number = MAX_LOG_READ_BYTES,
): Record<string, unknown>[] {
  return readTail(file, maxBytes)
    .split("\n")
    .flatMap((line): Record<string, unknown>[] => {
      if (!line.startsWith("{")) return [];
      try {
        const event = contentOf(JSON.parse(line) as Record<string, unknown>, format, file);
        return event ? [event] : [];
      } catch {
        return [];
      }
    });
}

function readTail(file: string, maxBytes: number): string {
  try {
    return readRegularFile(file, { maxBytes, part: "end" });
  } catch {
    return "";
  }
}
