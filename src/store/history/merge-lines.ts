import { diffArrays } from "diff";

/** A chunk of the base's lines, from `start` up to `end`, that one side replaced. */
interface Replacement {
  start: number;
  end: number;
  lines: string[];
}

/**
 * Applies to `ours` what changed from `base` to `theirs`, by lines (diff3). Undefined where both changed the
 * same or neighbouring lines differently.
 */
export function mergeLines(base: string, ours: string, theirs: string): string | undefined {
  if (ours === base || ours === theirs) return theirs;
  if (theirs === base) return ours;
  const lines = linesOf(base);
  const mine = replacements(lines, linesOf(ours));
  const other = replacements(lines, linesOf(theirs));
  const merged: Replacement[] = [...mine];
  for (const change of other) {
    const touching = mine.filter((own) => own.start <= change.end && change.start <= own.end);
    if (touching.length === 0) merged.push(change);
    else if (!touching.some((own) => isSame(own, change))) return undefined;
  }
  merged.sort((a, b) => a.start - b.start || a.end - b.end);
  const result: string[] = [];
  let at = 0;
  for (const change of merged) {
    result.push(...lines.slice(at, change.start), ...change.lines);
    at = change.end;
  }
  return [...result, ...lines.slice(at)].join("");
}

function replacements(from: string[], to: string[]): Replacement[] {
  const found: Replacement[] = [];
  let at = 0;
  let open: Replacement | undefined;
  for (const part of diffArrays(from, to)) {
    if (!part.added && !part.removed) {
      at += part.value.length;
      open = undefined;
      continue;
    }
    if (!open) found.push((open = { start: at, end: at, lines: [] }));
    if (part.added) open.lines.push(...part.value);
    else open.end = at += part.value.length;
  }
  return found;
}

/** Lines with their ends, so that joining them gives the text back. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function isSame(a: Replacement, b: Replacement): boolean {
  return a.start === b.start && a.end === b.end && a.lines.join("") === b.lines.join("");
}
