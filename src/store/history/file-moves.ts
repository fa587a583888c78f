import type { FileChange } from "./change-record.ts";
import { editOverviewLine } from "../files/overview-line.ts";
import type { StoredMemory } from "../files/scan-store.ts";
import { TOMBSTONE_FOLDER } from "../files/tombstone.ts";

/** A change of one file, or of two when it moves: the new one first, so that no reader finds neither. */
export function moveOf(from: string, to: string, before: string, after: string): FileChange[] {
  if (from === to) return [{ file: from, before, after }];
  return [
    { file: to, before: null, after },
    { file: from, before, after: null },
  ];
}

/** Where a removed memory's file goes: under its own name, with a number where another lies there. */
export function freeTombstone(file: string, isTaken: (path: string) => boolean): string {
  const stem = file.replace(/\.(md|markdown)$/i, "");
  for (let number = 1; ; number++) {
    const tombstone = `${TOMBSTONE_FOLDER}/${stem}${number === 1 ? "" : `-${number}`}.md`;
    if (!isTaken(tombstone)) return tombstone;
  }
}

/** An overview with the line of a memory as a change leaves it. */
export function lineMoved(
  overview: string,
  file: string,
  files: readonly FileChange[],
  { card }: StoredMemory,
): string {
  const isTombstone = (path: string): boolean => path.startsWith(`${TOMBSTONE_FOLDER}/`);
  const old = files.find(({ before, file: path }) => before !== null && !isTombstone(path));
  return editOverviewLine(overview, old?.file, isTombstone(file) ? undefined : { ...card, file });
}
