import { closeSync, constants, lstatSync, openSync, readlinkSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { HeedError } from "../errors/heed-error.ts";
import { realPathOf } from "./stat-if-there.ts";

/** Where Linux shows what a process has opened: by it a folder stays the same one, whatever its name leads to by now. */
const OPENED = "/proc/self/fd";

/**
 * Refuses a file of a root to which a symbolic link leads on the way.
 *
 * @param file relative to the root, with slashes.
 * @throws HeedError `io-failed`.
 */
export function refuseLinks(root: string, file: string): void {
  const parts = file.split("/");
  for (let depth = 1; depth < parts.length; depth++) {
    const folder = join(root, ...parts.slice(0, depth));
    if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink())
      throw behindLink(`${folder} is`, join(root, file));
  }
}

/**
 * Refuses what was opened as a file or folder of a root when it lies elsewhere: a folder on the way was a link in that
 * moment, whatever it is by now. Where the system does not show what is opened (no Linux), the way is looked at once more.
 *
 * @throws HeedError `io-failed`.
 */
export function refuseOpenedElsewhere(handle: number, root: string, file: string): void {
  const opened = pathOf(handle);
  if (opened === undefined) return refuseLinks(root, file);
  const suffix = file === "" ? "" : `/${file}`;
  const folder = opened.slice(0, opened.length - suffix.length);
  if (opened.endsWith(suffix) && (folder === root || folder === realPathOf(root))) return;
  throw behindLink(`${dirname(join(root, file))} is or was`, join(root, file));
}

/**
 * Runs a task on a file below a root by a path that stays in the file's very folder, should that be moved or become a
 * link meanwhile. Where the system has no such path (no Linux), the way is looked at before and after.
 *
 * @throws HeedError `io-failed` where a link is on the way; else what the task throws.
 */
export function inFolderOf<T>(path: string, root: string, task: (path: string) => T): T {
  const file = relative(root, path).replaceAll(sep, "/");
  if (!file.includes("/")) return task(path);
  refuseLinks(root, file);
  const handle = process.platform === "linux" ? openSync(dirname(path), constants.O_DIRECTORY) : undefined;
  try {
    if (handle === undefined || pathOf(handle) === undefined) {
      const result = task(path);
      refuseLinks(root, file);
      return result;
    }
    refuseOpenedElsewhere(handle, root, dirname(file));
    return task(join(OPENED, String(handle), basename(path)));
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** Where a file or folder is that is open, or undefined where the system does not say. */
function pathOf(handle: number): string | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    // One that was replaced since is shown so; it was there when it was opened.
    return readlinkSync(`${OPENED}/${handle}`).replace(/ \(deleted\)$/, "");
  } catch {
    return undefined;
  }
}

function behindLink(what: string, file: string): HeedError {
  return new HeedError(
    "io-failed",
    `${what} a symbolic link, and heed does not read or write through one: put a real folder there`,
    { file, operation: "open" },
  );
}
