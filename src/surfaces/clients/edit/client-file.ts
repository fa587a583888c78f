import { chmodSync, existsSync, mkdirSync, realpathSync, rmSync, rmdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { writeFileAtomic } from "../../../machine/atomic-file.ts";
import { readRegularBytes } from "../../../machine/regular-file.ts";

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

/** Replaces a file, behind a link too (dotfiles often are), its mode kept. Returns the folders made, outermost first. */
export function replaceClientFile(file: string, bytes: Buffer, mode = 0o600): string[] {
  const made: string[] = [];
  for (let folder = dirname(file); !existsSync(folder); folder = dirname(folder)) made.unshift(folder);
  mkdirSync(dirname(file), { recursive: true });
  const target = existsSync(file) ? realpathSync(file) : file;
  const kept = statSync(target, { throwIfNoEntry: false })?.mode ?? mode;
  writeFileAtomic(target, bytes, { mode });
  // The umask may have taken bits of it.
  chmodSync(target, kept & 0o777);
  return made;
}

/** Removes a file that heed made, and the empty ones of the folders made for it. Returns the folders that are not empty. */
export function removeClientFile(file: string, madeFolders: readonly string[]): string[] {
  rmSync(existsSync(file) ? realpathSync(file) : file, { force: true });
  const left = [...madeFolders];
  try {
    for (; left.length > 0; left.pop()) rmdirSync(left.at(-1) ?? "");
  } catch {}
  return left;
}

export class EditRefusal extends Error {
  constructor(why: string) {
    super(why);
    this.name = "EditRefusal";
  }
}
