import { redactSecrets } from "../../memory/screening/find-secrets.ts";
import { createTwoFilesPatch, FILE_HEADERS_ONLY, diffArrays } from "diff";

/** Comparing takes time in the product of the texts' lengths; after this long the whole text counts as replaced. */
const TIMEOUT_MS = 1_000;

/** The unified diff of two texts without secrets; "" when equal. `null`: no such file. */
export function unifiedDiff(
  before: string | null,
  after: string | null,
  name: { before: string; after: string },
): string {
  if (before === after) return "";
  const from = before === null ? "/dev/null" : `a/${name.before}`;
  const to = after === null ? "/dev/null" : `b/${name.after}`;
  return patchOf([from, to], [before ?? "", after ?? ""], 3);
}

/** What a write changes in a memory, to be shown: two lines of context, and none of the marks that only patch tools need. */
export function shownDiff(name: string, before: string, after: string): string {
  return patchOf([name, name], [before, after], 2, ["before", "after"]).trimEnd();
}

function patchOf(
  [from, to]: [string, string],
  texts: [string, string],
  context: number,
  headers: [string?, string?] = [],
): string {
  // Before it is split into lines: a key of many lines is recognised as a whole only.
  const [before = "", after = ""] = texts.map((text) => redactSecrets(text));
  const options = { context, headerOptions: FILE_HEADERS_ONLY, timeout: TIMEOUT_MS };
  const patch = createTwoFilesPatch(from, to, before, after, headers[0], headers[1], options);
  if (patch !== undefined) return patch;
  const lines = (text: string, mark: string): string[] => text.split("\n").map((line) => mark + line);
  const [head, end] = [from, to].map((name, i) => [name, headers[i] ?? []].flat().join("\t"));
  return [`--- ${head}`, `+++ ${end}`, ...lines(before, "-"), ...lines(after, "+"), ""].join("\n");
}

interface Replacement {
  start: number;
  end: number;
  lines: string[];
}

/** Merges by lines (diff3). Undefined where both sides changed the same or neighbouring lines differently. */
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

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function isSame(a: Replacement, b: Replacement): boolean {
  return a.start === b.start && a.end === b.end && a.lines.join("") === b.lines.join("");
}
