import { memoryIdIn } from "../files/scan-store.ts";

/** A file of a change by the ids of its texts (git's blob ids); null: the file is not there. */
export interface FileSides {
  file: string;
  before: string | null;
  after: string | null;
}

/** What a change did to one memory: its file and text on both sides; null: it was not there. */
export interface FileStep {
  before: { file: string; blob: string } | null;
  after: { file: string; blob: string } | null;
}

/** A change as steps: a file that went and one that came are one where they hold the same memory, by id or whole text. */
export function stepsOf(
  files: readonly FileSides[],
  textOf: (blob: string) => string | null | undefined,
): FileStep[] {
  const keyOf = (blob: string): string => memoryIdIn(textOf(blob) ?? "") ?? blob;
  const gone = new Map<string, FileSides>();
  for (const side of files)
    if (side.before !== null && side.after === null) gone.set(keyOf(side.before), side);
  const origins = new Set<FileSides>();
  const steps = files.map((side) => {
    const key = gone.size > 0 && side.before === null && side.after !== null ? keyOf(side.after) : "";
    const from = gone.get(key);
    if (from && gone.delete(key)) origins.add(from);
    const { file, before } = from ?? side;
    return {
      side,
      before: before === null ? null : { file, blob: before },
      after: side.after === null ? null : { file: side.file, blob: side.after },
    };
  });
  return steps.flatMap(({ side, ...step }) => (origins.has(side) ? [] : step));
}

/** The ids of the texts that tell what moved; none where nothing can have. */
export function blobsOfMoves(files: readonly FileSides[]): string[] {
  const gone = files.flatMap(({ before, after }) => (after === null ? (before ?? []) : []));
  const made = files.flatMap(({ before, after }) => (before === null ? (after ?? []) : []));
  return gone.length > 0 && made.length > 0 ? [...gone, ...made] : [];
}
