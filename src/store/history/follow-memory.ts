import type { FileSides, HistoryEntry } from "./store-history.ts";

/** A change as it concerns one memory, wherever its file was at the time. */
export interface MemoryStep {
  entry: HistoryEntry;
  /** The file and the id of its text before and after; null: the memory was not there. */
  before: { file: string; blob: string } | null;
  after: { file: string; blob: string } | null;
}

/**
 * The changes of one memory, newest first, followed back through renames, changes of type, removal and restoring. In a
 * change that makes its file, the file that went at the same time and holds the same memory is where it was before.
 *
 * @param file where the memory is after the newest change.
 * @param isSameMemory whether two texts, by blob id, are of one memory.
 */
export async function followMemory(
  entries: readonly HistoryEntry[],
  file: string,
  isSameMemory: (one: string, other: string) => Promise<boolean>,
): Promise<MemoryStep[]> {
  const steps: MemoryStep[] = [];
  let path = file;
  for (const entry of entries) {
    const side = entry.files.find((candidate) => candidate.file === path);
    if (!side || side.before === side.after) continue;
    const origin = await originOf(entry, side, isSameMemory);
    const before = origin ?? side;
    steps.push({
      entry,
      before: before.before === null ? null : { file: before.file, blob: before.before },
      after: side.after === null ? null : { file: side.file, blob: side.after },
    });
    path = before.file;
  }
  return steps;
}

/** Of several changes, those by which the present text came to be: a version that a sync set aside is left out. */
export function lineage(steps: readonly MemoryStep[]): MemoryStep[] {
  const line: MemoryStep[] = [];
  let blob = steps[0]?.after?.blob;
  for (const step of steps) {
    if (step.after?.blob !== blob) continue;
    line.push(step);
    blob = step.before?.blob;
  }
  return line;
}

async function originOf(
  entry: HistoryEntry,
  side: FileSides,
  isSameMemory: (one: string, other: string) => Promise<boolean>,
): Promise<FileSides | undefined> {
  if (side.before !== null || side.after === null) return undefined;
  for (const gone of entry.files) {
    if (gone.after === null && gone.before !== null && (await isSameMemory(gone.before, side.after)))
      return gone;
  }
  return undefined;
}
