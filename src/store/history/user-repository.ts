import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type GitAnswer, type GitOptions, gitConfiguration, runGit } from "../../machine/run-git.ts";
import { commitOf, filesOf, readBlobs, type TreeEntry } from "../../machine/blobs.ts";
import { readHead } from "../../machine/git-directory.ts";

const STALE_LOCK_MS = 60_000;

const MANY_LOOSE_OBJECTS = 6_700;

/** The git repository that a user store is: in the store's own directory, whatever repository may be around it. */
export class UserRepository {
  readonly root: string;
  readonly #env: GitOptions["env"];

  constructor(root: string, env: GitOptions["env"]) {
    this.root = root;
    this.#env = env;
  }

  git(args: readonly string[], options: Partial<GitOptions> = {}): Promise<GitAnswer> {
    return runGit(args, { ...this.#place(), ...options });
  }

  configuration(): Promise<string> {
    return gitConfiguration({ ...this.#place(), withUserConfig: true });
  }

  #place(): GitOptions {
    return { cwd: this.root, isOwnRepository: true, env: this.#env };
  }

  exists(): boolean {
    return existsSync(join(this.root, ".git"));
  }

  async make(): Promise<void> {
    if (this.exists()) return;
    await this.git(["init", "-q", "--template=", "--initial-branch=main", "."], { isOwnRepository: false });
    const info = join(this.root, ".git", "info");
    mkdirSync(info, { recursive: true });
    // What is committed is what was written, to the byte, whatever attributes a file in the store declares.
    writeFileSync(join(info, "attributes"), "* -text -filter -ident -working-tree-encoding\n");
    writeFileSync(join(info, "exclude"), "/MEMORY.md\n*.tmp\n");
  }

  /** Removes locks that a killed git left: nothing that heed runs here takes a minute, and git itself never removes them. */
  removeStaleLocks(): void {
    const branch = this.branch() ?? "refs/heads/main";
    for (const name of ["index.lock", "HEAD.lock", `${branch}.lock`]) {
      const file = join(this.root, ".git", name);
      const stats = statSync(file, { throwIfNoEntry: false });
      if (stats && Date.now() - stats.mtimeMs > STALE_LOCK_MS) rmSync(file, { force: true });
    }
  }

  /** Packs loose objects once there are several thousand, in the foreground: no process is left behind. */
  async packWhenMany(): Promise<void> {
    // Git's own measure: objects are spread evenly over 256 folders, so one of them tells.
    const sample = join(this.root, ".git", "objects", "17");
    const count = existsSync(sample) ? readdirSync(sample).length : 0;
    if (count * 256 < MANY_LOOSE_OBJECTS) return;
    await this.git(["gc", "--quiet"], { timeoutMs: 60_000 }).catch(() => undefined);
  }

  /** Lets the index follow HEAD, so that the user's own `git status` tells the truth. One that is locked follows next time. */
  async resetIndex(configuration?: string): Promise<void> {
    await this.git(["reset", "-q"], configuration === undefined ? {} : { configuration }).catch(
      () => undefined,
    );
  }

  /** The branch at hand as a full ref; undefined in the middle of something (a rebase, a detached head). */
  branch(): string | undefined {
    const gitDir = join(this.root, ".git");
    const { branch } = readHead({ gitDir, commonDir: gitDir });
    return branch && `refs/heads/${branch}`;
  }

  commitOf(revision: string): Promise<string | undefined> {
    return commitOf(this.git.bind(this), revision);
  }

  tree(revision: string): Promise<Map<string, TreeEntry>> {
    return filesOf(this.git.bind(this), ["-r", "--full-tree", revision]);
  }

  texts(blobs: readonly string[]): Promise<Map<string, string>> {
    return readBlobs(this.git.bind(this), blobs);
  }
}
