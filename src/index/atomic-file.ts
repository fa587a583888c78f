import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";

/** A name that no other process or call uses, without the cost of importing node:crypto. */
export function uniqueName(): string {
  const random = Math.floor(Math.random() * 0x1_00_00_00_00).toString(36);
  return `${Date.now().toString(36)}-${process.pid.toString(36)}-${random}`;
}

/** Writes a file so that a reader, or a machine that loses power, finds the old content or the new: temp, fsync, rename. */
export function writeFileAtomic(file: string, content: Uint8Array): void {
  const temporary = join(dirname(file), `${uniqueName()}.tmp`);
  try {
    const descriptor = openSync(temporary, "wx", 0o600);
    try {
      for (let at = 0; at < content.length;) at += writeSync(descriptor, content, at);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Makes renames in a directory durable; file systems that cannot (Windows) are left alone. */
export function syncDirectory(directory: string): void {
  try {
    const descriptor = openSync(directory, "r");
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // The index is derived: losing the last rename costs a refresh.
  }
}
