import {
  chmodSync,
  existsSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { readRegularBytes } from "../../../machine/regular-file.ts";

/** A client's file of more than this is no configuration. */
const MAX_BYTES = 8 * 1024 * 1024;

/** The bytes of a file that belongs to another program; null when there is none. */
export function readClientFile(file: string): Buffer | null {
  return existsSync(file) ? readRegularBytes(file, { maxBytes: MAX_BYTES }) : null;
}

/** Throws an `EditRefusal` for a read-only file: a rename would get around that. */
export function requireWritableFile(file: string): void {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode;
  if (mode !== undefined && (mode & 0o222) === 0) throw new EditRefusal("it is read-only");
}

/** The text of such bytes. Throws an `EditRefusal` for what is not UTF-8: it would not be written again as it is. */
export function textOfBytes(bytes: Buffer | null): string | undefined {
  if (bytes === null) return undefined;
  const text = bytes.toString("utf8");
  if (!Buffer.from(text).equals(bytes)) throw new EditRefusal("it is not written in UTF-8");
  return text;
}

/**
 * Replaces a file, by temp + rename next to the real one (dotfiles are often links), its mode kept. Gives back the
 * folders that had to be made, outermost first.
 */
export function replaceClientFile(file: string, bytes: Buffer, mode?: number): string[] {
  const made: string[] = [];
  for (let folder = dirname(file); !existsSync(folder); folder = dirname(folder)) made.unshift(folder);
  mkdirSync(dirname(file), { recursive: true });
  const isNew = !existsSync(file);
  const target = isNew ? file : realpathSync(file);
  const aside = join(dirname(target), `.${basename(target)}.heed-${process.pid}`);
  try {
    const kept = isNew ? (mode ?? 0o600) : statSync(target).mode & 0o777;
    writeFileSync(aside, bytes, { mode: kept, flush: true });
    chmodSync(aside, kept);
    renameSync(aside, target);
  } finally {
    rmSync(aside, { force: true });
  }
  return made;
}

/** Removes a file that heed made, and the empty ones of the folders made for it. Returns the folders that are not empty. */
export function removeClientFile(file: string, madeFolders: readonly string[]): string[] {
  rmSync(existsSync(file) ? realpathSync(file) : file, { force: true });
  const left = [...madeFolders];
  for (let folder = left.at(-1); folder !== undefined; folder = left.at(-1)) {
    try {
      rmdirSync(folder);
      left.pop();
    } catch {
      break;
    }
  }
  return left;
}

/** Why heed leaves a client's file as it is. */
export class EditRefusal extends Error {
  constructor(why: string) {
    super(why);
    this.name = "EditRefusal";
  }
}
