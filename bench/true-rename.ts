/** Moves of one file are followed this many times. */
const MAX_HOPS = 20;
/** A file that was moved and edited in one commit shares at least this much with what it was. */
const LIKE_ENOUGH = 0.6;

/**
 * Where a file went between two commits, found without git's rename detection: in each commit that removed it, the added
 * file with the same content, else the one that shares most of its lines. Undefined when it was deleted, or when several
 * files are as like.
 */
export function trueRename(
  git: (args: readonly string[]) => string,
  from: string,
  to: string,
  path: string,
): string | undefined {
  let at = path;
  let since = from;
  for (let hop = 0; hop < MAX_HOPS; hop++) {
    if (exists(git, to, at)) return at === path ? undefined : at;
    const removal = removalOf(git, since, to, at);
    if (removal === undefined) return undefined;
    const next = successor(git, removal, at);
    if (next === undefined) return undefined;
    at = next;
    since = removal;
  }
  return undefined;
}

function exists(git: (args: readonly string[]) => string, commit: string, path: string): boolean {
  return blobOf(git, commit, path) !== undefined;
}

function blobOf(git: (args: readonly string[]) => string, commit: string, path: string): string | undefined {
  try {
    return git(["rev-parse", "--verify", "-q", `${commit}:${path}`]).trim();
  } catch {
    return undefined;
  }
}

/** The last commit on the first-parent line after which the path is gone. */
function removalOf(
  git: (args: readonly string[]) => string,
  from: string,
  to: string,
  path: string,
): string | undefined {
  const commits = git(["rev-list", "--first-parent", `${from}..${to}`, "--", path])
    .trim()
    .split("\n")
    .filter((id) => id !== "");
  return commits.find((id) => !exists(git, id, path) && exists(git, `${id}^1`, path));
}

function successor(
  git: (args: readonly string[]) => string,
  commit: string,
  path: string,
): string | undefined {
  const blob = blobOf(git, `${commit}^1`, path);
  if (blob === undefined) return undefined;
  const added = git(["diff-tree", "-r", "--no-renames", "--diff-filter=A", "-z", `${commit}^1`, commit])
    .split("\0:")
    .flatMap((record) => {
      const [meta = "", name = ""] = record.split("\0");
      const object = meta.split(" ")[3];
      return object === undefined || name === "" ? [] : [{ name, object }];
    });
  const same = added.filter(({ object }) => object === blob);
  if (same.length === 1) return same[0]?.name;
  if (same.length > 1) return undefined;
  const before = linesOf(git(["cat-file", "blob", blob]));
  const ending = path.slice(path.lastIndexOf("."));
  const ranked = added
    .filter(({ name }) => name.endsWith(ending))
    .slice(0, 200)
    .map(({ name, object }) => ({
      name,
      shared: sharedLines(before, linesOf(git(["cat-file", "blob", object]))),
    }))
    .sort((a, b) => b.shared - a.shared);
  const [best, next] = ranked;
  return best && best.shared >= LIKE_ENOUGH && (next?.shared ?? 0) < best.shared - 0.1
    ? best.name
    : undefined;
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** Lines in common over the lines of the longer text. */
function sharedLines(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return 0;
  const left = [...a].sort();
  const right = [...b].sort();
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
  return shared / Math.max(a.length, b.length);
}
