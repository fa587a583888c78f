import { type CommitName, type FileVersion, RepositoryHistory } from "./repository-history.ts";
import type { Tree } from "./verdict.ts";
import type { TreeEntry } from "../machine/blobs.ts";
import type { GitOptions } from "../machine/run-git.ts";
import { foldersAbove, NOT_CHECKED_OUT } from "./work-tree.ts";

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
