import { memoryIdIn } from "../files/scan-store.ts";

/** A file of a change by the ids of its texts (git's blob ids); null: the file is not there. */
export interface FileSides {
  file: string;
  before: string | null;
  after: string | null;
}

/** The files of a change that hold a memory which was elsewhere before, by id or whole text, each with the file that went. */
export function movesOf(
  files: readonly FileSides[],
  textOf: (blob: string) => string | undefined,
): Map<FileSides, FileSides> {
  const gone = new Set(files.filter(({ before, after }) => before !== null && after === null));
  const made = files.filter(({ before, after }) => before === null && after !== null);
  const moves = new Map<FileSides, FileSides>();
  if (gone.size === 0 || made.length === 0) return moves;
  const keyOf = (blob: string | null): string => memoryIdIn(textOf(blob ?? "") ?? "") ?? blob ?? "";
  const byKey = new Map([...gone].map((side) => [keyOf(side.before), side]));
  for (const to of made) {
    const from = byKey.get(keyOf(to.after));
    if (from && gone.delete(from)) moves.set(to, from);
  }
  return moves;
}

export function blobsOfMoves(files: readonly FileSides[]): string[] {
  const gone = files.flatMap(({ before, after }) => (after === null ? (before ?? []) : []));
  const made = files.flatMap(({ before, after }) => (before === null ? (after ?? []) : []));
  return gone.length > 0 && made.length > 0 ? [...gone, ...made] : [];
}

/** Two texts at one place are of one memory unless each gives another id. */
export function isSameMemory(one: string, other: string): boolean {
  const [id, otherId] = [memoryIdIn(one), memoryIdIn(other)];
  return id === undefined || otherId === undefined || id === otherId;
}
