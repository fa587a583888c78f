import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { LeakedValue } from "./leaked-value.ts";
import { readRegularBytes } from "../../platform/regular-file.ts";

/** A file that holds a leaked value. */
export interface LeakedFile {
  /** Absolute path. */
  path: string;
  /** In its text. */
  occurrences: number;
  /** Its own name, or the name of a folder above it, holds the value. */
  isInName: boolean;
}

/** Larger files are none of heed's. */
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
export function readBytes(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile() || stats.size > MAX_FILE_BYTES) return undefined;
  try {
    return readRegularBytes(path, { maxBytes: MAX_FILE_BYTES, isLinkRefused: true }).toString("latin1");
  } catch {
    return undefined;
  }
}
