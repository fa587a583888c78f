import { type CommitName, type FileVersion, RepositoryHistory } from "./repository-history.ts";
import type { Tree } from "./verdict.ts";
import type { TreeEntry } from "../machine/blobs.ts";
import type { GitOptions } from "../machine/run-git.ts";

const STAMP = { mtimeMs: 0, ctimeMs: 0, sizeBytes: 0, inode: 0 };

/** How often what is still missing is read: a path found in a file that was read may name the next. */
const MAX_ROUNDS = 4;

const NO_FILE: Readonly<Record<string, string>> = { 120000: "it is a link", 160000: "it is a submodule" };

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
      for (let at = file.lastIndexOf("/"); at > 0; at = file.lastIndexOf("/", at - 1)) {
        const folder = file.slice(0, at);
        if (this.#folders.has(folder)) break;
        this.#folders.add(folder);
      }
  }

  has(path: string): boolean {
    return this.files.has(path) || this.#folders.has(path);
  }

  look(path: string): ReturnType<Tree["look"]> {
    if (this.files.has(path)) return { kind: "file", state: STAMP };
    return this.#folders.has(path) ? { kind: "folder", state: STAMP } : { kind: "missing" };
  }

  text(path: string): ReturnType<Tree["text"]> {
    const entry = this.entries.get(path);
    if (!entry) return this.#folders.has(path) ? { why: "it is a folder" } : { missing: true };
    const why = NO_FILE[entry.mode];
    if (why !== undefined) return { why };
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

  override async textsAt(revision: string, paths: readonly string[]): Promise<Map<string, string>> {
    const { entries } = revision === this.head ? this.after : this.before;
    const found = await this.read(paths.flatMap((path) => entries.get(path)?.blob ?? []));
    return new Map(
      paths.flatMap((path) => {
        const text = found.get(entries.get(path)?.blob ?? "");
        return text === undefined ? [] : [[path, text] as const];
      }),
    );
  }

  override async touchedIn(): Promise<string[]> {
    return [...this.changed].filter((path) => this.after.files.has(path));
  }

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
