import { type GitOptions, runGit } from "../machine/run-git.ts";
import { filesOf, readBlobs, type TreeEntry } from "../machine/blobs.ts";
import { MAX_FILE_BYTES } from "./work-tree.ts";

/** A commit as evidence names it. */
export interface CommitName {
  /** Full object name. */
  id: string;
  /** ISO time of the commit. */
  time: string;
}

/** A file as a commit left it; without a blob, the commit removed it. */
export interface FileVersion {
  commit: CommitName;
  blob: string | undefined;
}

/** One git command may take this long, in milliseconds: of a million commits a path's own take ten seconds. */
const COMMAND_MS = 15_000;
const MAX_BATCH_BYTES = 8 * 1024 * 1024;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
/** Among more files, renames are found by equal content or name alone, git's default: it would compare each with each. */
const RENAME_LIMIT = 1000;
const MAX_RENAME_LISTS = 8;

/**
 * What git knows of a repository's past. Runs git with everything switched off by which a hostile repository could
 * run a program (hooks, monitors, filters, external diffs, text conversion, fetching); never looks at the work tree.
 */
export class RepositoryHistory {
  readonly #root: string;
  readonly #env: GitOptions["env"];
  readonly #deadlineAtMs: number;
  readonly #renames = new Map<string, Promise<ReadonlyMap<string, string>>>();

  /** `deadlineAtMs` on the clock of `performance.now()`: past it every question is answered by a rejection. */
  constructor(root: string, env: GitOptions["env"], deadlineAtMs: number = Infinity) {
    this.#root = root;
    this.#env = env;
    this.#deadlineAtMs = deadlineAtMs;
  }

  /** The output of a git command. @throws HeedError `git-failed`, also when there is no time left. */
  async git(args: readonly string[], options: Partial<GitOptions> = {}): Promise<string> {
    return (await this.#run(args, options)).stdout;
  }

  /** The last commit of HEAD's history that removed a path; of those after `since` alone, where one did. */
  async removalOf(path: string, since?: string): Promise<CommitName | undefined> {
    const removal = ["--diff-filter=D", "--no-renames"];
    // A long history is walked from its end to its beginning when nothing removed the path.
    const late = since && (await this.#firstCommit([...removal, `${since}..HEAD`, "--", path]));
    return late || this.#firstCommit([...removal, "HEAD", "--", path]);
  }

  /** The last commit that added a path. */
  async additionOf(path: string): Promise<CommitName | undefined> {
    return this.#firstCommit(["--diff-filter=A", "--no-renames", "HEAD", "--", path]);
  }

  /** The last commit of any branch, or of what HEAD was lately, that touched a path. */
  async lastTouchAnywhere(path: string): Promise<CommitName | undefined> {
    return this.#firstCommit(["--all", "--reflog", "--", path]);
  }

  /** Where a path went between two trees, by similarity of content; undefined where nothing like it appeared. */
  async renameBetween(from: string, to: string, path: string): Promise<string | undefined> {
    const key = `${from} ${to}`;
    let renames = this.#renames.get(key);
    if (!renames) {
      if (this.#renames.size >= MAX_RENAME_LISTS) this.#renames.clear();
      renames = this.#renamesBetween(from, to);
      this.#renames.set(key, renames);
    }
    return (await renames).get(path);
  }

  /** All renames between two trees: a commit that moved one file mostly moved others that memories name. */
  async #renamesBetween(from: string, to: string): Promise<ReadonlyMap<string, string>> {
    const command = ["diff-tree", "-r", `-l${RENAME_LIMIT}`, "--name-status", "-z", "--diff-filter=R"];
    const trees = ["--no-ext-diff", "--no-textconv", from, to];
    let output: string;
    try {
      output = await this.git([...command, "-M50%", ...trees]);
    } catch {
      // Too much moved for a comparison of contents in time: what moved unchanged is found at once.
      output = await this.git([...command, "-M100%", ...trees]);
    }
    return renamesOf(output);
  }

  /** Where a path goes by what is staged but not committed. */
  async stagedRename(path: string): Promise<string | undefined> {
    const flags = "--cached -r -M --name-status -z --diff-filter=R --no-ext-diff --no-textconv";
    const output = await this.git(["diff-index", ...flags.split(" "), "HEAD"]);
    return renamesOf(output).get(path);
  }

  /** Files that a commit added, as paths. */
  async addedIn(commit: string): Promise<string[]> {
    return this.#names(["--diff-filter=A"], commit);
  }

  /** Files that a commit touched and left there, as paths. */
  async touchedIn(commit: string): Promise<string[]> {
    return this.#names(["--diff-filter=AM"], commit);
  }

  /** Files of the work tree that git does not know and does not ignore. */
  async untracked(): Promise<string[]> {
    return (await this.git(["ls-files", "-o", "--exclude-standard", "-z"]))
      .split("\0")
      .filter((name) => name !== "");
  }

  /** All files of a tree, by path. @throws HeedError `git-failed` when there is no such tree. */
  async filesOf(revision: string): Promise<ReadonlyMap<string, TreeEntry>> {
    return filesOf((args) => this.#run(args), ["-r", "--full-tree", revision]);
  }

  /** What a revision has at each of some paths; nothing where there is no such revision. */
  async entriesAt(revision: string, paths: readonly string[]): Promise<ReadonlyMap<string, TreeEntry>> {
    const asked = paths.filter((path) => path !== "");
    if (asked.length === 0) return new Map();
    const git = (args: readonly string[]): ReturnType<typeof runGit> =>
      this.#run(args, { okCodes: [0, 128] });
    return filesOf(git, ["--full-tree", revision, "--", ...asked]);
  }

  /** Files of a revision that hold a word, at most 200; none where looking through all of them takes too long. */
  async filesWithWord(word: string, revision = "HEAD"): Promise<string[]> {
    const args = ["grep", "-l", "-z", "-I", "-w", "-F", "--no-textconv", "-e", word, revision];
    const output = await this.git(args, { okCodes: [0, 1] }).catch(() => "");
    return output
      .split("\0")
      .filter((name) => name !== "")
      .map((name) => name.slice(revision.length + 1))
      .slice(0, 200);
  }

  /** The text of a file in a revision; undefined where it is not there or too large. */
  async textAt(revision: string, path: string): Promise<string | undefined> {
    return (await this.textsAt(revision, [path])).get(path);
  }

  /** Texts of a revision by path. */
  async textsAt(revision: string, paths: readonly string[]): Promise<Map<string, string>> {
    const entries = await this.entriesAt(revision, paths);
    const texts = await this.read([...entries.values()].map(({ blob }) => blob));
    return new Map(
      paths.flatMap((path): [string, string][] => {
        const text = texts.get(entries.get(path)?.blob ?? "");
        return text === undefined ? [] : [[path, text]];
      }),
    );
  }

  /** The texts of blobs by id; what is no blob, not there or too large is left out. */
  async read(blobs: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const texts = new Map<string, string>();
    if (blobs.length === 0) return texts;
    const { stdout } = await this.#run(
      ["cat-file", "--batch-check=%(objectname) %(objecttype) %(objectsize)"],
      {
        input: `${[...new Set(blobs)].join("\n")}\n`,
      },
    );
    const sizes = stdout.split("\n").flatMap((line) => {
      const [object = "", type, size] = line.split(" ");
      return type === "blob" && Number(size) <= MAX_FILE_BYTES ? [{ object, size: Number(size) }] : [];
    });
    for (const objects of batchesOf(sizes))
      for (const [object, text] of await readBlobs((args, options) => this.#run(args, options), objects))
        texts.set(object, text);
    return texts;
  }

  /** The commits of HEAD's history that touched a file, newest first, each with the blob that it left there. */
  async versionsOf(path: string, limit: number): Promise<FileVersion[]> {
    const log = `log -n${limit} -m --raw --no-abbrev --no-renames -z --format=%x00%x00%H%x20%cI HEAD --`;
    const found = new Map<string, FileVersion>();
    // A path holds no NUL, so no name can look like the next commit.
    for (const [, id = "", time = "", blob = ""] of (await this.git([...log.split(" "), path])).matchAll(
      VERSION,
    ))
      if (!found.has(id)) found.set(id, { commit: { id, time }, blob: /^0+$/.test(blob) ? undefined : blob });
    return [...found.values()];
  }

  /** The commits of HEAD's history that touched a path, newest first. */
  async commitsOn(paths: readonly string[], limit: number, since?: string): Promise<CommitName[]> {
    const output = await this.git([
      "log",
      `-n${limit}`,
      "--format=%H %cI",
      "--no-renames",
      ...(since === undefined ? [] : [`--since=${since}`]),
      "HEAD",
      "--",
      ...paths,
    ]);
    return output.split("\n").flatMap((line) => commitOf(line) ?? []);
  }

  /** Whether a revision names a commit that is still there. */
  async hasCommit(revision: string): Promise<boolean> {
    if (!/^[0-9a-f]{7,64}$/.test(revision)) return false;
    const output = await this.git(["cat-file", "-t", revision], { okCodes: [0, 128] });
    return output.trim() === "commit";
  }

  async #firstCommit(args: readonly string[]): Promise<CommitName | undefined> {
    return commitOf(await this.git(["log", "-n1", "--format=%H %cI", ...args]));
  }

  async #names(filter: readonly string[], commit: string): Promise<string[]> {
    const flags = "-r --root --no-commit-id --no-renames --name-only -z -m --first-parent".split(" ");
    const output = await this.git(["diff-tree", ...flags, ...filter, commit]);
    return output.split("\0").filter((name) => name !== "");
  }

  #run(args: readonly string[], options: Partial<GitOptions> = {}): ReturnType<typeof runGit> {
    const left = this.#deadlineAtMs - performance.now();
    return runGit(args, {
      cwd: this.#root,
      ...(this.#env && { env: this.#env }),
      timeoutMs: Math.max(1, Math.min(COMMAND_MS, left)),
      maxBytes: MAX_OUTPUT_BYTES,
      ...options,
    });
  }
}

const VERSION = /\0\0([0-9a-f]{40,64}) (\S+?)[\0\n]+:\d+ \d+ [0-9a-f]+ ([0-9a-f]+) [A-Z]/g;

function batchesOf(objects: readonly { object: string; size: number }[]): string[][] {
  const batches: string[][] = [];
  let left = 0;
  for (const [object, size] of new Map(objects.map(({ object, size }) => [object, size]))) {
    if (size > left || batches.length === 0) {
      batches.push([]);
      left = MAX_BATCH_BYTES;
    }
    batches.at(-1)?.push(object);
    left -= size;
  }
  return batches;
}

/** Old paths to new ones, of `--name-status -z --diff-filter=R`. */
function renamesOf(output: string): ReadonlyMap<string, string> {
  const parts = output.split("\0");
  const renames = new Map<string, string>();
  for (let i = 0; i + 2 < parts.length; i += 3) renames.set(parts[i + 1] ?? "", parts[i + 2] ?? "");
  return renames;
}

function commitOf(line: string): CommitName | undefined {
  const [, id, time] = /^([0-9a-f]{40,64}) (\S+)/.exec(line) ?? [];
  return id === undefined || time === undefined ? undefined : { id, time };
}
