/** A file of heed's own that a newer heed has written: it is left as it is. */
export interface NewerFile {
  file: string;
  /** The version that it says, and the newest one that is known here. */
  version: number;
  known: number;
}

const found = new Map<string, NewerFile & { isTold: boolean }>();

/** Remembers that a file is of a version that is not known here. */
export function noteNewer(newer: NewerFile): void {
  if (!found.has(newer.file)) found.set(newer.file, { ...newer, isTold: false });
}

/** Takes a note back: the file has been read. */
export function forgetNewer(file: string): void {
  found.delete(file);
}

/** What was found of a newer version in this process at a path. */
export function newerAt(file: string): NewerFile | undefined {
  return found.get(file);
}

/** The newer files below some folders that nobody was told of yet. */
export function takeUntold(folders: readonly string[]): NewerFile[] {
  if (found.size === 0) return [];
  const untold = [...found.values()].filter(
    ({ file, isTold }) => !isTold && folders.some((folder) => file.startsWith(folder)),
  );
  for (const newer of untold) newer.isTold = true;
  return untold;
}
