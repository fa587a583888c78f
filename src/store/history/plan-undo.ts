import { HeedError } from "../../machine/heed-error.ts";
import type { FileChange } from "./change-record.ts";
import { type FileSides, isSameMemory, movesOf } from "./find-moves.ts";
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
  const moves = movesOf(entry.files, (blob) => context.textOf(blob));
  const moved = new Set([...moves].flat());
  const plain = entry.files.filter((side) => !moved.has(side) && side.before !== side.after);
  return [
    ...[...moves].flatMap(([to, from]) => undoMove(entry, context, from, to)),
    ...plain.flatMap((side) => undoFile(entry, context, side)),
  ].filter((change) => change.before !== change.after);
}

function undoMove(entry: HistoryEntry, context: UndoContext, from: FileSides, to: FileSides): FileChange[] {
  const before = textOf(context, from.before);
  const after = textOf(context, to.after);
  const current = context.read(to.file);
  const fail = (reason: string, at = to.file): HeedError => conflict(entry, at, reason, after, before);
  if (current === null || !isSameMemory(current, after)) throw fail("the memory was moved or removed since");
  if (context.read(from.file) !== null) throw fail("another memory has come in its place", from.file);
  const text = mergeLines(after, current, before);
  if (text === undefined) throw fail("later changes touch the same lines");
  return [
    { file: from.file, before: null, after: text },
    { file: to.file, before: current, after: null },
  ];
}

function undoFile(entry: HistoryEntry, context: UndoContext, side: FileSides): FileChange[] {
  const before = side.before === null ? null : textOf(context, side.before);
  const after = side.after === null ? null : textOf(context, side.after);
  const fail = (reason: string, at = side.file): HeedError => conflict(entry, at, reason, after, before);
  if (after === null) {
    if (context.read(side.file) !== null) throw fail("another memory has come in its place");
    return [{ file: side.file, before: null, after: before }];
  }
  const inPlace = context.read(side.file);
  const isInPlace = inPlace !== null && (inPlace === after || isSameMemory(inPlace, after));
  const file = isInPlace ? side.file : context.locate(after);
  const current = file === undefined ? null : context.read(file);
  if (file === undefined || current === null) throw fail("the memory is no longer there");
  if (before === null) {
    if (current !== after || file !== side.file)
      throw fail("the memory was changed since it was made; remove it instead");
    return [{ file, before: current, after: null }];
  }
  const text = mergeLines(after, current, before);
  if (text === undefined) throw fail("later changes touch the same lines", file);
  return [{ file, before: current, after: text }];
}

function textOf(context: UndoContext, blob: string | null): string {
  const text = blob === null ? undefined : context.textOf(blob);
  if (text === undefined)
    throw new HeedError("not-found", `the text ${String(blob)} is no longer in the history`, {
      handle: blob,
    });
  return text;
}

function conflict(
  entry: HistoryEntry,
  file: string,
  reason: string,
  from: string | null,
  to: string | null,
): HeedError {
  const diff = unifiedDiff(from, to, { before: file, after: file });
  return new HeedError(
    "conflict",
    `"${entry.summary}" cannot be taken back in ${file}: ${reason}. This would take it back; edit the memory by hand:\n${diff}`,
    { file, change: entry.id, diff },
  );
}
