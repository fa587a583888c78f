import { HeedError } from "../../machine/heed-error.ts";
import { memoryIdIn } from "../files/scan-store.ts";
import type { FileChange } from "./change-record.ts";
import { moveOf } from "./file-edits.ts";
import { type FileStep, stepsOf } from "./find-moves.ts";
import type { HistoryEntry } from "./store-history.ts";
import { mergeLines, unifiedDiff } from "./unified-diff.ts";

interface UndoContext {
  textOf(blob: string): string | undefined;
  read(file: string): string | null;
  locate(text: string): string | undefined;
}

/**
 * Edits that take a change back and keep what came after, wherever the memory has moved.
 * @throws HeedError `conflict` when later changes touched the same lines, with the diff.
 */
export function planUndo(entry: HistoryEntry, context: UndoContext): FileChange[] {
  return stepsOf(entry.files, (blob) => context.textOf(blob))
    .filter(({ before, after }) => before?.file !== after?.file || before?.blob !== after?.blob)
    .flatMap((step) => undoStep(entry, context, step))
    .filter((change) => change.before !== change.after);
}

function undoStep(entry: HistoryEntry, context: UndoContext, { before, after }: FileStep): FileChange[] {
  const [was, is] = [textOf(context, before), textOf(context, after)];
  const fail = (reason: string, file = after?.file ?? before?.file ?? ""): HeedError => {
    const diff = unifiedDiff(is, was, { before: file, after: file });
    const message = `"${entry.summary}" cannot be taken back in ${file}: ${reason}. This would take it back; edit the memory by hand:\n${diff}`;
    return new HeedError("conflict", message, { file, change: entry.id, diff });
  };
  const isMoved = before !== null && before.file !== after?.file;
  if (isMoved && context.read(before.file) !== null)
    throw fail("another memory has come in its place", before.file);
  if (after === null || is === null) return [{ file: before?.file ?? "", before: null, after: was }];
  const inPlace = context.read(after.file);
  const isInPlace = inPlace !== null && (inPlace === is || isSameMemory(inPlace, is));
  const file = isInPlace ? after.file : isMoved ? undefined : context.locate(is);
  const current = file === undefined ? null : context.read(file);
  if (file === undefined || current === null) throw fail("the memory was moved or removed since");
  if (before === null || was === null) {
    if (current !== is || !isInPlace)
      throw fail("the memory was changed since it was made; remove it instead");
    return [{ file, before: current, after: null }];
  }
  const text = mergeLines(is, current, was);
  if (text === undefined) throw fail("later changes touch the same lines", file);
  return moveOf(file, isMoved ? before.file : file, current, text);
}

/** Two texts at one place are of one memory unless each gives another id. */
function isSameMemory(one: string, other: string): boolean {
  const [id, otherId] = [memoryIdIn(one), memoryIdIn(other)];
  return id === undefined || otherId === undefined || id === otherId;
}

function textOf(context: UndoContext, side: FileStep["before"]): string | null {
  if (side === null) return null;
  const text = context.textOf(side.blob);
  if (text !== undefined) return text;
  throw new HeedError("not-found", `the text ${side.blob} is no longer in the history`, {
    handle: side.blob,
  });
}
