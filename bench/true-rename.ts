import type { GitObjects } from "./git-objects.ts";

/** Moves of one file are followed this many times. */
const MAX_HOPS = 20;
/** A file that was moved and edited in one commit shares at least this much with what it was. */
const LIKE_ENOUGH = 0.6;
/** So many added files are compared with one that went. */
const MAX_COMPARED = 400;

/** What the truth about renames is found with. */
export interface RenameCase {
  git: (args: readonly string[]) => string;
  objects: GitObjects;
}

/**
 * Where a file went between two commits, found without git's rename detection: in each commit that removed it, the added
 * file with the same content, else the one that shares most of its lines. Undefined when it was deleted, or when several
 * files are as like.
 */
export async function trueRename(
  context: RenameCase,
  { from, to, path }: { from: string; to: string; path: string },
): Promise<string | undefined> {
  let at = path;
  let since = from;
  for (let hop = 0; hop < MAX_HOPS; hop++) {
    if (context.objects.files(to).has(at)) return at === path ? undefined : at;
    const removal = removalOf(context, since, to, at);
    if (removal === undefined) return undefined;
    const next = successor(context.objects, removal, at);
    if (next === undefined) return undefined;
    at = next;
    since = removal;
  }
  return undefined;
}

/** The last commit on the first-parent line after which the path is gone. */
function removalOf({ git }: RenameCase, from: string, to: string, path: string): string | undefined {
  const options = "-n1 --format=%H --first-parent -m --no-renames --diff-filter=D".split(" ");
  const id = git(["log", ...options, `${from}..${to}`, "--", path]).trim();
  return id === "" ? undefined : id;
}

function successor(objects: GitObjects, commit: string, path: string): string | undefined {
  const changes = objects.changesIn(commit);
  const blob = changes.find((change) => change.status === "D" && change.path === path)?.before;
  if (blob === undefined) return undefined;
  const added = changes.filter(({ status }) => status === "A");
  const same = added.filter(({ after }) => after === blob);
  if (same.length === 1) return same[0]?.path;
  if (same.length > 1) return undefined;
  const before = linesOf(objects.texts([blob])[0] ?? "");
  const ending = path.slice(path.lastIndexOf("."));
  const name = path.slice(path.lastIndexOf("/") + 1);
  const likely = added
    .filter((change) => change.path.endsWith(ending))
    .sort((a, b) => Number(b.path.endsWith(`/${name}`)) - Number(a.path.endsWith(`/${name}`)))
    .slice(0, MAX_COMPARED);
  const texts = objects.texts(likely.map(({ after }) => after));
  const ranked = likely.map((change, i) => ({
    path: change.path,
    shared: sharedLines(before, linesOf(texts[i] ?? "")),
  }));
  const [best, next] = ranked.sort((a, b) => b.shared - a.shared);
  return best && best.shared >= LIKE_ENOUGH && (next?.shared ?? 0) < best.shared - 0.1
    ? best.path
    : undefined;
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .sort();
}

/** Lines in common over the lines of the longer text; both sorted. */
function sharedLines(left: readonly string[], right: readonly string[]): number {
  const shorter = Math.min(left.length, right.length);
  const longer = Math.max(left.length, right.length);
  if (shorter === 0 || shorter / longer < LIKE_ENOUGH - 0.1) return 0;
  let shared = 0;
  for (let i = 0, j = 0; i < left.length && j < right.length;) {
    const [one = "", other = ""] = [left[i], right[j]];
    if (one === other) {
      shared += 1;
      i += 1;
      j += 1;
    } else if (one < other) i += 1;
    else j += 1;
  }
  return shared / longer;
}
