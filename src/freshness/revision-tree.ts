import type { CommitName } from "./repository-history.ts";
import { RepositoryHistory } from "./repository-history.ts";
import type { Tree } from "./verdict.ts";
import type { GitOptions } from "../git/run-git.ts";

const STAMP = { mtimeMs: 0, ctimeMs: 0, sizeBytes: 0, inode: 0 };

/** How often what is still missing is read: a path found in a file that was read may name the next. */
const MAX_ROUNDS = 4;

/** The files of a commit or tree. A text that is asked for and is not here is read by {@link StepHistory.load}. */
export class RevisionTree implements Tree {
  readonly files: ReadonlySet<string>;
  readonly revision: string;
  readonly texts: Map<string, string | undefined> = new Map();
  /** Paths of which the text was asked for, and is not here. */
  readonly wanted: Set<string> = new Set();
  readonly #folders = new Set<string>();

  constructor(revision: string, files: readonly string[]) {
    this.revision = revision;
    this.files = new Set(files);
    for (const file of files)
      for (let at = file.lastIndexOf("/"); at > 0; at = file.lastIndexOf("/", at - 1)) {
        const folder = file.slice(0, at);
        if (this.#folders.has(folder)) break;
        this.#folders.add(folder);
      }
  }

  /** Whether there is a file or folder of this path. */
  has(path: string): boolean {
    return this.files.has(path) || this.#folders.has(path);
  }

  look(path: string): ReturnType<Tree["look"]> {
    if (this.files.has(path)) return { kind: "file", state: STAMP };
    return this.#folders.has(path) ? { kind: "folder", state: STAMP } : { kind: "missing" };
  }

  /** With `isAsked: false` it is not read later either. */
  text(path: string, { isAsked = true }: { isAsked?: boolean } = {}): ReturnType<Tree["text"]> {
    if (!this.files.has(path)) return this.#folders.has(path) ? { why: "it is a folder" } : { missing: true };
    const text = this.texts.get(path);
    if (text !== undefined) return { text };
    if (isAsked && !this.texts.has(path)) this.wanted.add(path);
    return { why: "it was not read" };
  }
}

/**
 * The past as one step from `base` to `head`: what a pull request or a commit that is being made changes, whatever lies
 * between, so that a shallow clone with both will do.
 */
export class StepHistory extends RepositoryHistory {
  readonly #base: string;
  readonly #head: CommitName;
  before!: RevisionTree;
  after!: RevisionTree;
  /** What differs between the two, a rename as a removal and an addition. */
  changes: { status: string; path: string }[] = [];

  private constructor(root: string, env: GitOptions["env"], base: string, head: CommitName) {
    super(root, env);
    this.#base = base;
    this.#head = head;
  }

  /** `head`: a commit, or a tree of what is staged. @throws HeedError `git-failed` when one is not there. */
  static async open(
    root: string,
    env: GitOptions["env"],
    { base, head }: { base: string; head: CommitName },
  ): Promise<StepHistory> {
    const history = new StepHistory(root, env, base, head);
    history.before = new RevisionTree(base, await history.#listed(base));
    history.after = new RevisionTree(head.id, await history.#listed(head.id));
    const args = ["diff-tree", "-r", "--no-renames", "--name-status", "-z", "--no-ext-diff", "--no-textconv"];
    const parts = (await history.git([...args, base, head.id])).split("\0");
    history.changes = parts.flatMap((status, i) =>
      i % 2 === 0 && status !== "" ? [{ status, path: parts[i + 1] ?? "" }] : [],
    );
    return history;
  }

  /** Reads what was asked of the two trees: what both have once. */
  async load(): Promise<void> {
    const asked = [this.before, this.after].flatMap(({ revision, wanted, texts }) =>
      [...wanted].map((path) => ({ wanted, texts, path, name: `${revision}:${path}` })),
    );
    if (asked.length === 0) return;
    const found = await super.textsAt(asked.map(({ name }) => name));
    for (const { wanted, texts, path, name } of asked) {
      wanted.delete(path);
      texts.set(path, found.get(name)?.replace(/^\uFEFF/, ""));
    }
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

  override async removalOf(path: string): Promise<CommitName | undefined> {
    return this.before.has(path) && !this.after.has(path) ? this.#head : undefined;
  }

  override async additionOf(path: string): Promise<CommitName | undefined> {
    return !this.before.has(path) && this.after.has(path) ? this.#head : undefined;
  }

  override async lastTouchAnywhere(): Promise<undefined> {
    return undefined;
  }

  override async stagedRename(): Promise<undefined> {
    return undefined;
  }

  override async untracked(): Promise<string[]> {
    return [];
  }

  override async commitsOn(): Promise<CommitName[]> {
    return [this.#head, { id: this.#base, time: this.#head.time }];
  }

  override renameBetween(from: string, to: string, path: string): Promise<string | undefined> {
    return super.renameBetween(this.#named(from), this.#named(to), path);
  }

  override async pathsOf(revision: string): Promise<string[]> {
    return [...this.#treeAt(this.#named(revision)).files];
  }

  override filesWithWord(word: string): Promise<string[]> {
    return super.filesWithWord(word, this.#head.id);
  }

  override async touchedIn(): Promise<string[]> {
    return this.changes.flatMap(({ status, path }) => (status === "D" ? [] : [path]));
  }

  override async addedIn(): Promise<string[]> {
    return this.changes.flatMap(({ status, path }) => (status === "A" ? [path] : []));
  }

  /** What the trees hold is not asked of git again. */
  override async textsAt(names: readonly string[]): Promise<Map<string, string>> {
    const texts = new Map<string, string>();
    const unread = new Map<string, string>();
    for (const name of names) {
      const real = this.#named(name);
      const at = real.indexOf(":");
      const read = this.#treeAt(real.slice(0, at)).text(real.slice(at + 1), { isAsked: false });
      if ("text" in read) texts.set(name, read.text);
      else if ("why" in read) unread.set(name, real);
    }
    const found = unread.size > 0 ? await super.textsAt([...unread.values()]) : texts;
    for (const [name, real] of unread) {
      const text = found.get(real);
      if (text !== undefined) texts.set(name, text);
    }
    return texts;
  }

  #treeAt(revision: string): RevisionTree {
    return revision === this.#base ? this.before : this.after;
  }

  #listed(revision: string): Promise<string[]> {
    return super.pathsOf(revision);
  }

  /** The revision in words that git knows: what lies before the step is its base, what lies after it its end. */
  #named(revision: string): string {
    const { id } = this.#head;
    if (revision.startsWith(`${id}^1`)) return this.#base + revision.slice(id.length + 2);
    return revision.startsWith("HEAD:") ? id + revision.slice(4) : revision;
  }
}
