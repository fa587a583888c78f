import { memoryIdIn } from "../files/scan-store.ts";

/** A file of a change by the ids of its texts (git's blob ids); null: the file is not there. */
export interface FileSides {
  file: string;
  before: string | null;
  after: string | null;
}

/** Of more pairs than this, only those with one id or one text are found: lines are not compared. */
const MAX_COMPARISONS = 10_000;

/** The files of a change that hold a memory which was elsewhere before, each with the file that went. */
export function movesOf(
  files: readonly FileSides[],
  textOf: (blob: string) => string | undefined,
): Map<FileSides, FileSides> {
  const gone = new Set(files.filter(({ before, after }) => before !== null && after === null));
  const made = files.filter(({ before, after }) => before === null && after !== null);
  const moves = new Map<FileSides, FileSides>();
  if (gone.size === 0 || made.length === 0) return moves;
  const text = (blob: string | null): string => textOf(blob ?? "") ?? "";
  const keyOf = (blob: string | null): string => memoryIdIn(text(blob)) ?? blob ?? "";
  const byKey = new Map([...gone].map((side) => [keyOf(side.before), side]));
  const take = (to: FileSides, from: FileSides | undefined): void => {
    if (from && gone.delete(from)) moves.set(to, from);
  };
  for (const to of made) take(to, byKey.get(keyOf(to.after)));
  const rest = made.filter((to) => !moves.has(to));
  if (gone.size * rest.length > MAX_COMPARISONS) return moves;
  for (const to of rest)
    for (const from of gone)
      if (!moves.has(to) && isSameMemory(text(from.before), text(to.after))) take(to, from);
  return moves;
}

export function blobsOfMoves(files: readonly FileSides[]): string[] {
  const gone = files.flatMap(({ before, after }) => (after === null ? (before ?? []) : []));
  const made = files.flatMap(({ before, after }) => (before === null ? (after ?? []) : []));
  return gone.length > 0 && made.length > 0 ? [...gone, ...made] : [];
}

/** Two texts are of one memory when they give the same id, or, where one gives none, much the same text. */
export function isSameMemory(one: string, other: string): boolean {
  const [id, otherId] = [memoryIdIn(one), memoryIdIn(other)];
  if (id !== undefined && otherId !== undefined) return id === otherId;
  const lines = new Set(one.split("\n").filter((line) => line.trim().length > 3));
  const others = other.split("\n").filter((line) => line.trim().length > 3);
  const common = others.filter((line) => lines.has(line)).length;
  return common * 2 > Math.max(lines.size, others.length);
}
