import { type GitOptions, runGit } from "../machine/run-git.ts";
import { type TreeEntry, filesOf, readBlobs } from "../machine/blobs.ts";
import { type Tree, NOT_IN_TIME } from "./verdict.ts";
import { MAX_FILE_BYTES, foldersAbove, NOT_CHECKED_OUT } from "./work-tree.ts";

export interface CommitName {
  id: string;
  time: string;
  parent: string;
}

/** A file as a commit left it; without a blob, the commit removed it. */
export interface FileVersion {
  commit: CommitName;
  blob: string | undefined;
}

/** One git command may take this long, in milliseconds: of a million commits a path's own take ten seconds. */
const COMMAND_MS = 15_000;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
/** Among more files, renames are found by equal content or name alone, git's default: it would compare each with each. */
const RENAME_LIMIT = 1000;
const BATCH_FILES = 50;
const MAX_COUNTED = 1_000;

/** Git's past of a repository, run with everything off by which a hostile one could run a program; never reads the work tree. */
export class RepositoryHistory {
  readonly #root: string;
  readonly #env: GitOptions["env"];
  readonly #deadlineAtMs: number;
  readonly #renames = new Map<string, Promise<ReadonlyMap<string, string>>>();
  readonly head: string = "HEAD";

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

  /** How many commits touched some paths since a time; of none, all. */
  async countSince(time: string, paths: readonly string[]): Promise<number> {
    const count = ["rev-list", "--count", `-n${MAX_COUNTED}`, `--since=${time}`, "HEAD", "--"];
    return Number(await this.git([...count, ...paths]));
  }

  async firstCommit(...args: string[]): Promise<CommitName | undefined> {
    const [, id, time = ""] =
      /^([0-9a-f]{40,64}) (\S+)/.exec(await this.git(["log", "-n1", "--format=%H %cI", ...args])) ?? [];
    return id === undefined ? undefined : { id, time, parent: `${id}^1` };
  }

  /** Whether a commit has a file or folder; with a slash at its end, a folder. */
  async has(revision: string, path: string): Promise<boolean> {
    return (await this.git(["ls-tree", "--name-only", "--full-tree", revision, "--", path])) !== "";
  }

  /** A branch that holds a commit, by its short name; else the commit's own. */
  async branchOf(revision: string): Promise<string> {
    if (revision.startsWith("refs/")) return revision.replace(/^refs\/\w+\//, "");
    const args = ["for-each-ref", "--count=1", `--contains=${revision}`, "--format=%(refname:short)"];
    return (await this.git([...args, "refs/heads", "refs/remotes"])).trim() || revision.slice(0, 8);
  }

  /** Whether a clone has all branches with all of their commits. */
  async isWhole(): Promise<boolean> {
    const isShallow = (await this.git(["rev-parse", "--is-shallow-repository"])).trim() === "true";
    const asked = ["config", "--get-regexp", "^remote\\..*\\.fetch$"];
    const fetched = (await this.git(asked, { mayAnswerNo: true })).trim();
    return !isShallow && (fetched === "" || fetched.includes("refs/heads/*:"));
  }

  /** The default branch, unless it is the one that is checked out. */
  async otherDefault(): Promise<string | undefined> {
    const known = ["refs/heads/main", "refs/heads/master", "refs/remotes/origin/HEAD"];
    const names = (await this.git(["for-each-ref", "--format=%(symref) %(refname)", ...known])).split("\n");
    const [ref] =
      names
        .findLast((name) => name.includes("/"))
        ?.trim()
        .split(" ") ?? [];
    const here = (await this.git(["rev-parse", "--symbolic-full-name", "HEAD"])).trim();
    return ref === undefined || baseName(ref) === baseName(here) ? undefined : ref;
  }

  removalOf(path: string): Promise<CommitName | undefined> {
    return this.firstCommit("--diff-filter=D", "--no-renames", this.head, "--", path);
  }

  /** Old paths to new ones between two trees, by similarity of content. */
  renames(from: string, to: string): Promise<ReadonlyMap<string, string>> {
    const key = `${from} ${to}`;
    const known = this.#renames.get(key) ?? this.git(["diff-tree", ...RENAMES, from, to]).then(renamesIn);
    this.#renames.set(key, known);
    return known;
  }

  async stagedRenames(): Promise<ReadonlyMap<string, string>> {
    return renamesIn(await this.git(["diff-index", "--cached", ...RENAMES, "HEAD"]));
  }

  async untracked(): Promise<string[]> {
    return listed(await this.git(["ls-files", "-o", "--exclude-standard", "-z"]));
  }

  /** Files of HEAD that hold a word. @throws HeedError `git-failed` where looking through all of them takes too long. */
  async filesWithWord(word: string): Promise<string[]> {
    const args = ["grep", "-l", "-z", "-I", "-w", "-F", "--no-textconv", "-e", word, this.head];
    return listed(await this.git(args, { mayAnswerNo: true })).map((name) =>
      name.slice(this.head.length + 1),
    );
  }

  /** Files of a tree, by path; default: all. @throws HeedError `git-failed` when there is no such tree. */
  filesOf(revision: string, paths?: readonly string[]): Promise<ReadonlyMap<string, TreeEntry>> {
    return filesOf(
      (args) => this.#run(args),
      ["--full-tree", ...(paths ? [revision, "--", ...paths] : ["-r", revision])],
    );
  }

  /** The texts of files of a tree; what is not there or too large is left out. */
  async textsAt(revision: string, paths: readonly string[]): Promise<Map<string, string>> {
    const entries = paths.length > 0 ? await this.filesOf(revision, paths) : new Map<string, TreeEntry>();
    const texts = await this.read([...entries.values()].map(({ blob }) => blob));
    return new Map(
      [...entries].flatMap(([path, { blob }]): [string, string][] => {
        const text = texts.get(blob);
        return text === undefined ? [] : [[path, text]];
      }),
    );
  }

  /** The texts of blobs by id; what is no blob, not there or too large is left out. */
  async read(blobs: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const texts = new Map<string, string>();
    if (blobs.length === 0) return texts;
    const check = ["cat-file", "--batch-check=%(objectname) %(objecttype) %(objectsize)"];
    const sizes = await this.git(check, { input: `${[...new Set(blobs)].join("\n")}\n` });
    const objects = sizes.split("\n").flatMap((line) => {
      const [object = "", type, size] = line.split(" ");
      return type === "blob" && Number(size) <= MAX_FILE_BYTES ? [object] : [];
    });
    for (let at = 0; at < objects.length; at += BATCH_FILES)
      for (const [object, text] of await readBlobs(
        (args, options) => this.#run(args, { ...options, maxBytes: BATCH_FILES * 2 * MAX_FILE_BYTES }),
        objects.slice(at, at + BATCH_FILES),
      ))
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
      if (!found.has(id))
        found.set(id, {
          commit: { id, time, parent: `${id}^1` },
          blob: /^0+$/.test(blob) ? undefined : blob,
        });
    return [...found.values()];
  }

  async #run(args: readonly string[], options: Partial<GitOptions> = {}): ReturnType<typeof runGit> {
    const left = this.#deadlineAtMs - performance.now();
    if (left < 1) throw new Error(NOT_IN_TIME);
    return runGit(args, {
      cwd: this.#root,
      ...(this.#env && { env: this.#env }),
      timeoutMs: Math.min(COMMAND_MS, left),
      maxBytes: MAX_OUTPUT_BYTES,
      ...options,
    });
  }
}

const RENAMES =
  `-r --name-status -z -M30% -l${RENAME_LIMIT} --diff-filter=R --no-ext-diff --no-textconv`.split(" ");

const VERSION = /\0\0([0-9a-f]{40,64}) (\S+?)[\0\n]+:\d+ \d+ [0-9a-f]+ ([0-9a-f]+) [A-Z]/g;

function listed(output: string): string[] {
  return output.split("\0").filter((name) => name !== "");
}

/** Old paths to new ones, of `--name-status -z`: of what shares less than half, only those that keep their name. */
function renamesIn(output: string): ReadonlyMap<string, string> {
  const parts = output.split("\0");
  const renames = new Map<string, string>();
  for (let i = 0; i + 2 < parts.length; i += 3) {
    const [score = "", from = "", to = ""] = parts.slice(i, i + 3);
    if (Number(score.slice(1)) >= 50 || baseName(from) === baseName(to)) renames.set(from, to);
  }
  return renames;
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

const [LINK, SUBMODULE] = ["120000", "160000"] as const;

/** Texts of blobs, and those that were asked for and are not here. */
interface BlobTexts {
  known: Map<string, string | undefined>;
  wanted: Set<string>;
}

/** The files of a commit or tree. A text that is asked for and is not here is read by {@link StepHistory.withTexts}. */
export class RevisionTree implements Tree {
  readonly entries: ReadonlyMap<string, TreeEntry>;
  readonly files: ReadonlySet<string>;
  readonly #texts: BlobTexts;
  readonly #folders = new Set<string>();

  constructor(entries: ReadonlyMap<string, TreeEntry>, texts: BlobTexts) {
    this.entries = entries;
    this.files = new Set(entries.keys());
    this.#texts = texts;
    for (const file of this.files)
      for (const folder of foldersAbove(file)) {
        if (this.#folders.has(folder)) break;
        this.#folders.add(folder);
      }
  }

  has(path: string): boolean {
    return this.files.has(path) || this.#folders.has(path);
  }

  look(path: string): ReturnType<Tree["look"]> {
    const mode = this.entries.get(path)?.mode;
    if (mode === LINK) return { kind: "barred", why: "it is a link" };
    if (mode === SUBMODULE || this.#folders.has(path)) return { kind: "folder" };
    if (mode !== undefined) return { kind: "file" };
    const [above] = foldersAbove(path).flatMap((folder) => this.entries.get(folder)?.mode ?? []);
    // What a link leads to, and what a submodule holds, is not in this tree.
    if (above === LINK) return { kind: "barred", why: "a link leads there" };
    return above === SUBMODULE ? { kind: "barred", why: NOT_CHECKED_OUT } : { kind: "missing" };
  }

  text(path: string): ReturnType<Tree["text"]> {
    const look = this.look(path);
    if (look.kind === "missing") return { missing: true };
    if (look.kind === "barred") return { why: look.why };
    const entry = this.entries.get(path);
    if (!entry || look.kind === "folder") return { why: "it is a folder" };
    const text = this.#texts.known.get(entry.blob);
    if (text !== undefined) return { text };
    if (this.#texts.known.has(entry.blob)) return { why: "it is too large to be read, or not here" };
    this.#texts.wanted.add(entry.blob);
    return { why: "it was not read" };
  }
}

/** The past as one step from `base` to `head`, whatever lies between: a shallow clone with both will do. */
export class StepHistory extends RepositoryHistory {
  readonly #step: CommitName;
  override readonly head: string;
  before!: RevisionTree;
  after!: RevisionTree;
  readonly #texts: BlobTexts = { known: new Map(), wanted: new Set() };
  readonly changed: Set<string> = new Set();

  private constructor(root: string, env: GitOptions["env"], step: CommitName) {
    super(root, env);
    this.#step = step;
    this.head = step.id;
  }

  /** `head`: a commit, or a tree of what is staged. @throws HeedError `git-failed` when one is not there. */
  static async open(
    root: string,
    env: GitOptions["env"],
    { base, head }: { base: string; head: { id: string; time: string } },
  ): Promise<StepHistory> {
    const history = new StepHistory(root, env, { ...head, parent: base });
    history.before = new RevisionTree(await history.filesOf(base), history.#texts);
    history.after = new RevisionTree(await history.filesOf(head.id), history.#texts);
    const [old, now] = [history.before.entries, history.after.entries];
    for (const path of new Set([...old.keys(), ...now.keys()])) {
      const [before, after] = [old.get(path), now.get(path)];
      if (before?.blob !== after?.blob || before?.mode !== after?.mode) history.changed.add(path);
    }
    return history;
  }

  /** What is made once all the texts are here that it asks for. */
  async withTexts<T>(make: () => T | Promise<T>): Promise<T> {
    const { known, wanted } = this.#texts;
    for (;;) {
      const made = await make();
      if (wanted.size === 0) return made;
      const found = await this.read([...wanted]);
      for (const blob of wanted) known.set(blob, found.get(blob)?.replace(/^\uFEFF/, ""));
      wanted.clear();
    }
  }

  override async has(revision: string, path: string): Promise<boolean> {
    return revision === this.head ? this.after.has(path) : super.has(revision, path);
  }

  /** A step from the default branch takes away what that has. */
  override async otherDefault(): Promise<undefined> {}

  override async removalOf(path: string): Promise<CommitName | undefined> {
    return this.before.has(path) && !this.after.has(path) ? this.#step : undefined;
  }

  override async versionsOf(path: string): Promise<FileVersion[]> {
    const { parent, time } = this.#step;
    return [
      { commit: this.#step, blob: this.after.entries.get(path)?.blob },
      { commit: { id: parent, time, parent: "" }, blob: this.before.entries.get(path)?.blob },
    ];
  }
}
