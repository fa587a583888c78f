import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { realPathOf, readRegularFile, statIfThere } from "./regular-file.ts";

/** Where a repository keeps its work tree and its data. */
export interface GitDirectory {
  root: string;
  /** `.git`, or what a `.git` file of a worktree or submodule points to. */
  gitDir: string;
  /** The directory that all worktrees of the repository share: where configuration and branches are. */
  commonDir: string;
  /** The common directory; the `.git` itself where what it leads to does not lead back. */
  place: string;
}

/** What HEAD says: the branch, unless it is detached, and the commit, unless there is none yet. */
interface GitHead {
  branch: string | undefined;
  commit: string | undefined;
}

/** Files larger than this are not read: HEAD, `.git` and the like have a line, packed-refs rarely a megabyte. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Finds the repository that a directory lies in, from files alone; undefined when it lies in none. */
export function findGitDirectory(cwd: string): GitDirectory | undefined {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const gitDir = gitDirOf(folder);
    if (gitDir) {
      const common = readSmallFile(join(gitDir, "commondir"))?.trim();
      const root = gitDir === folder && basename(folder) === ".git" ? dirname(folder) : folder;
      const commonDir = common ? resolve(gitDir, common) : gitDir;
      const place = leadsBack(folder, gitDir, commonDir) ? commonDir : join(folder, ".git");
      return { root, gitDir, commonDir, place };
    }
    if (dirname(folder) === folder) return undefined;
  }
}

/** Reads HEAD of a repository; refs of the files backend only (a reftable gives no commit). */
export function readHead({ gitDir, commonDir }: Pick<GitDirectory, "gitDir" | "commonDir">): GitHead {
  const text = readSmallFile(join(gitDir, "HEAD"))?.trim() ?? "";
  if (isCommit(text)) return { branch: undefined, commit: text };
  const ref = /^ref: (refs\/\S+)$/.exec(text)?.[1];
  if (!ref || ref.split("/").includes("..")) return { branch: undefined, commit: undefined };
  const branch =
    ref.startsWith("refs/heads/") && ref !== "refs/heads/.invalid"
      ? ref.slice("refs/heads/".length)
      : undefined;
  return { branch, commit: readRef(commonDir, ref) };
}

/** Whether the names of files alone, and HEAD where there are none, tell that nothing was committed yet. */
export function isUnborn(directory: GitDirectory): boolean {
  const heads = join(directory.commonDir, "refs/heads");
  if (existsSync(join(directory.commonDir, "packed-refs"))) return false;
  try {
    return readdirSync(heads).length === 0 && readHead(directory).branch !== undefined;
  } catch {
    return false;
  }
}

/** The text of a file; undefined when it is missing, unreadable or far larger than such a file ever is. */
export function readSmallFile(path: string): string | undefined {
  try {
    return readRegularFile(path, { maxBytes: MAX_BYTES });
  } catch {
    return undefined;
  }
}

function gitDirOf(folder: string): string | undefined {
  const dotGit = join(folder, ".git");
  const stats = statIfThere(dotGit);
  if (stats?.isDirectory() && existsSync(join(dotGit, "HEAD"))) return dotGit;
  if (stats?.isFile()) {
    const target = /^gitdir: (.+)$/m.exec(readSmallFile(dotGit) ?? "")?.[1]?.trim();
    const gitDir = target && (isAbsolute(target) ? target : resolve(folder, target));
    return gitDir && existsSync(join(gitDir, "HEAD")) ? gitDir : undefined;
  }
  const isBare = ["HEAD", "objects", "refs"].every((name) => existsSync(join(folder, name)));
  return isBare ? folder : undefined;
}

/** Whether a git directory knows the work tree that names it: as a worktree's does, a submodule's, or one that lies in it. */
function leadsBack(folder: string, gitDir: string, commonDir: string): boolean {
  const dotGit = join(folder, ".git");
  const isWorktree = dirname(realPathOf(gitDir)) === join(realPathOf(commonDir), "worktrees");
  if (commonDir !== gitDir && !isWorktree) return false;
  if (gitDir === folder) return true;
  // One that is a link to another's only says so.
  if (gitDir === dotGit && realPathOf(dotGit) === join(realPathOf(folder), ".git")) return true;
  const named = isWorktree
    ? readSmallFile(join(gitDir, "gitdir"))?.trim()
    : /^\s*worktree\s*=\s*"?([^"\n]+?)"?\s*$/im.exec(readSmallFile(join(gitDir, "config")) ?? "")?.[1];
  if (named === undefined || named === "") return false;
  return realPathOf(resolve(gitDir, named)) === realPathOf(isWorktree ? dotGit : folder);
}

function readRef(commonDir: string, ref: string): string | undefined {
  const loose = readSmallFile(join(commonDir, ref))?.trim() ?? "";
  if (isCommit(loose)) return loose;
  const packed = readSmallFile(join(commonDir, "packed-refs")) ?? "";
  const at = packed.indexOf(` ${ref}\n`);
  const commit = at < 0 ? "" : packed.slice(packed.lastIndexOf("\n", at) + 1, at);
  return isCommit(commit) ? commit : undefined;
}

function isCommit(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

const MAX_CONFIG_CHARS = 1024 * 1024;

/** First URL of each remote in a git configuration. No includes, no `insteadOf`: they differ between machines. Never throws. */
export function readRemotes(text: string): Map<string, string> {
  const remotes = new Map<string, string>();
  let remote: string | undefined;
  for (let line of text.slice(0, MAX_CONFIG_CHARS).split(/\r?\n/)) {
    const section = /^\s*\[\s*([\w.-]+)\s*(?:"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line);
    if (section) {
      const isRemote = section[1]?.toLowerCase() === "remote";
      remote = isRemote ? section[2]?.replace(/\\(.)/g, "$1") : undefined;
      line = line.slice(section[0].length);
    }
    const url = /^\s*url\s*=\s*(?:"([^"]*)"|([^"#;]*))/i.exec(line);
    if (remote !== undefined && url && !remotes.has(remote))
      remotes.set(remote, (url[1] ?? url[2] ?? "").trim());
  }
  return remotes;
}
