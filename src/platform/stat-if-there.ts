import { type Stats, statSync, realpathSync } from "node:fs";
import { resolve } from "node:path";

/** The state of a file or folder, or undefined when it cannot be had for whatever reason. */
export function statIfThere(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** A text that changes when a file is put in the place of another, or written to; `none` where there is none. */
export function stampOf(path: string): string {
  const stats = statIfThere(path);
  return stats ? `${stats.ino}-${stats.mtimeMs}-${stats.size}` : "none";
}

/** Whether other users of the machine may look into a folder. Windows has other means, which are not looked at. */
export function isOpenToOthers(folder: string): boolean {
  return process.platform !== "win32" && ((statIfThere(folder)?.mode ?? 0) & 0o077) !== 0;
}

/** The absolute path with all symbolic links resolved; made absolute alone where it does not exist or cannot be read. */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
