import { lstatSync, renameSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { HeedError } from "../../machine/heed-error.ts";
import { writeFileAtomic } from "../../machine/atomic-file.ts";
import { withIoErrors, readRegularBytes } from "../../machine/regular-file.ts";
import type { LeakedValue } from "./leaked-value.ts";

const MAX_TRIES = 20;

/**
 * Takes a value out of a file, in one step, and out of its name. Loses nothing that others append meanwhile.
 * @throws HeedError `io-failed`, `locked` when the file changes all the time.
 */
export function scrubFile(path: string, root: string, value: LeakedValue): void {
  const message = `${path} keeps changing: stop what writes to it, and scrub again`;
  const changing = new HeedError("locked", message, { lock: path, waitedMs: 0 });
  withIoErrors("scrub", path, () => {
    for (let tries = 1; ; tries++) {
      const before = lstatSync(path, { throwIfNoEntry: false });
      const text = readBytes(path);
      if (!before || text === undefined) return;
      const clean = value.replace(text);
      if (clean === text) break;
      const beforeRename = (): void => {
        const now = lstatSync(path, { throwIfNoEntry: false });
        if (now?.size !== before.size || now.mtimeMs !== before.mtimeMs) throw changing;
      };
      try {
        writeFileAtomic(path, Buffer.from(clean, "latin1"), { beforeRename });
        break;
      } catch (error) {
        if (error !== changing || tries === MAX_TRIES) throw error;
      }
    }
    renameWithout(path, root, value);
  });
}

/** Gives a file, and the folders between it and the root, names without the value. */
function renameWithout(path: string, root: string, value: LeakedValue): void {
  const name = basename(path);
  const clean = Buffer.from(value.replace(Buffer.from(name).toString("latin1")), "latin1").toString("utf8");
  let now = path;
  if (clean !== name) {
    now = join(dirname(path), freeName(dirname(path), clean.replace(/[()]/g, "")));
    renameSync(path, now);
  }
  if (dirname(now) !== root && dirname(now).startsWith(root)) renameWithout(dirname(now), root, value);
}

function freeName(folder: string, name: string): string {
  const dot = name.lastIndexOf(".");
  const [stem, end] = dot <= 0 ? [name, ""] : [name.slice(0, dot), name.slice(dot)];
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${stem}-${number}${end}`;
    if (!lstatSync(join(folder, candidate), { throwIfNoEntry: false })) return candidate;
  }
}

export interface LeakedFile {
  path: string;
  occurrences: number;
  isInName: boolean;
}

const MAX_FILE_BYTES = 512 * 1024 * 1024;

/** All regular files below a folder but those in the folders left out; links are not followed. */
export function filesBelow(root: string, leftOut: (path: string) => boolean): string[] {
  const files: string[] = [];
  const visit = (folder: string): void => {
    let entries;
    try {
      entries = readdirSync(folder, { withFileTypes: true });
    } catch {
      return;
    }
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (leftOut(path)) continue;
      if (entry.isDirectory()) visit(path);
      else if (entry.isFile()) files.push(path);
    }
  };
  visit(root);
  return files.sort();
}

/** The files of a list in which a value stands, in any form. A file that has gone is left out. */
export function findLeaks(files: readonly string[], root: string, value: LeakedValue): LeakedFile[] {
  return files.flatMap((path): LeakedFile[] => {
    const text = readBytes(path);
    if (text === undefined) return [];
    const occurrences = value.count(text);
    const isInName = value.count(Buffer.from(path.slice(root.length)).toString("latin1")) > 0;
    return occurrences > 0 || isInName ? [{ path, occurrences, isInName }] : [];
  });
}

/** The bytes of a regular file as Latin-1, so that any file survives a replacement; undefined for anything else. */
function readBytes(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile() || stats.size > MAX_FILE_BYTES) return undefined;
  try {
    return readRegularBytes(path, { maxBytes: MAX_FILE_BYTES, isLinkRefused: true }).toString("latin1");
  } catch {
    return undefined;
  }
}
