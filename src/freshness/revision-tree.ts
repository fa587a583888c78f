import { type CommitName, type FileVersion, RepositoryHistory } from "./repository-history.ts";
import type { Tree } from "./verdict.ts";
import type { TreeEntry } from "../machine/blobs.ts";
import type { GitOptions } from "../machine/run-git.ts";
import { foldersAbove, NOT_CHECKED_OUT } from "./work-tree.ts";

const STAMP = { mtimeMs: 0, ctimeMs: 0, sizeBytes: 0, inode: 0 };

/** How often what is still missing is read: a path found in a file that was read may name the next. */
const MAX_ROUNDS = 4;

const [LINK, SUBMODULE] = ["120000", "160000"] as const;

type BlobTexts = Map<string, string | undefined>;

/** The files of a commit or tree. A text that is asked for and is not here is read by {@link StepHistory.load}. */
export class RevisionTree implements Tree {
  readonly entries: ReadonlyMap<string, TreeEntry>;
  readonly files: ReadonlySet<string>;
  /** Blobs of which the text was asked for, and is not here. */
  readonly wanted: Set<string> = new Set();
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
    if (mode === SUBMODULE || this.#folders.has(path)) return { kind: "folder", state: STAMP };
    if (mode !== undefined) return { kind: "file", state: STAMP };
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
    const text = this.#texts.get(entry.blob);
    if (text !== undefined) return { text };
    if (this.#texts.has(entry.blob)) return { why: "it is too large to be read, or not here" };
    this.wanted.add(entry.blob);
    return { why: "it was not read" };
  }
}

/** The past as one step from `base` to `head`, whatever lies between: a shallow clone with both will do. */
export class StepHistory extends RepositoryHistory {
  readonly #step: CommitName;
  override readonly head: string;
  before!: RevisionTree;
  after!: RevisionTree;
  readonly #texts: BlobTexts = new Map();
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

  /** Reads what was asked of the two trees: what both have once. */
  async load(): Promise<void> {
    const wanted = [...this.before.wanted, ...this.after.wanted];
    const found = await this.read(wanted);
    for (const blob of wanted) this.#texts.set(blob, found.get(blob)?.replace(/^\uFEFF/, ""));
    for (const tree of [this.before, this.after]) tree.wanted.clear();
  }

  /** What is made of each item, once all the texts are here that this asks for. */
  async withTexts<T, R>(items: readonly T[], read: (item: T) => Promise<R>): Promise<Map<T, R>> {
    const results = new Map<T, R>();
    const wanted = (): number => this.before.wanted.size + this.after.wanted.size;
    let pending = items;
    for (let round = 0; pending.length > 0 && round < MAX_ROUNDS; round++) {
      const again: T[] = [];
      for (const item of pending) {
        const before = wanted();
        results.set(item, await read(item));
        if (wanted() > before) again.push(item);
      }
      await this.load();
      pending = again;
    }
    return results;
  }

  protected override async entriesAt(
    revision: string,
    paths: readonly string[],
  ): Promise<ReadonlyMap<string, TreeEntry>> {
    const tree = { [this.#step.parent]: this.before, [this.head]: this.after }[revision];
    return tree?.entries ?? super.entriesAt(revision, paths);
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
