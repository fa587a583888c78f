import { execFileSync } from "node:child_process";

const MAX_BUFFER = 1024 * 1024 * 1024;
/** So many trees and lists of changes are kept; one of a large repository takes some ten megabytes. */
const MAX_KEPT = 12;
const MAX_TEXTS = 5_000;

const SETTINGS = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "advice.detachedHead=false",
  "core.autocrlf=false",
  "gc.auto=0",
].flatMap((setting) => ["-c", setting]);

const ENVIRONMENT = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_LFS_SKIP_SMUDGE: "1",
  GIT_LITERAL_PATHSPECS: "1",
};

/** Runs git in a clone of ours, without hooks, filters or the user's configuration. */
export function git(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): string {
  return execFileSync("git", [...SETTINGS, ...args], {
    cwd,
    encoding: "utf8",
    maxBuffer: MAX_BUFFER,
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, ...ENVIRONMENT, ...env },
  });
}

/** What a commit did to a file, against its first parent. */
export interface FileChange {
  status: "A" | "D" | "M";
  path: string;
  before: string;
  after: string;
}

/** The trees and texts of a repository, for many looks. */
export class GitObjects {
  readonly #root: string;
  readonly #trees = new Map<string, ReadonlyMap<string, string>>();
  readonly #changes = new Map<string, FileChange[]>();
  readonly #texts = new Map<string, string>();

  constructor(root: string) {
    this.#root = root;
  }

  /** The files of a commit, by path, with the object name of their content. Links and submodules are left out. */
  files(commit: string): ReadonlyMap<string, string> {
    return kept(this.#trees, commit, () => {
      const records = git(this.#root, ["ls-tree", "-r", "-z", "--full-tree", commit]).split("\0");
      return new Map(
        records.flatMap((record) => {
          const [, blob, path] = /^100\d+ blob (\w+)\t([^]*)$/.exec(record) ?? [];
          return blob === undefined || path === undefined ? [] : [[path, blob] as const];
        }),
      );
    });
  }

  /** What a commit changed, without any guess at renames. */
  changesIn(commit: string): FileChange[] {
    return kept(this.#changes, commit, () => {
      const words = ["diff-tree", "-r", "-z", "--no-renames", `${commit}^1`, commit];
      const parts = git(this.#root, words).split("\0");
      const found: FileChange[] = [];
      for (let i = 0; i + 1 < parts.length; i += 2) {
        const [, , before = "", after = "", status = ""] = (parts[i] ?? "").split(" ");
        if (status === "A" || status === "D" || status === "M")
          found.push({ status, path: parts[i + 1] ?? "", before, after });
      }
      return found;
    });
  }

  /** The text of a file at a commit; undefined where it is not there. */
  async textAt(commit: string, path: string): Promise<string | undefined> {
    const blob = this.files(commit).get(path);
    return blob === undefined ? undefined : this.texts([blob])[0];
  }

  texts(blobs: readonly string[]): string[] {
    const unread = blobs.filter((blob) => !this.#texts.has(blob));
    if (unread.length > 0) {
      const input = unread.map((blob) => `${blob}\n`).join("");
      const args = [...SETTINGS, "cat-file", "--batch"];
      const env = { ...process.env, ...ENVIRONMENT };
      const bytes = execFileSync("git", args, { cwd: this.#root, env, input, maxBuffer: MAX_BUFFER });
      for (let at = 0; at < bytes.length;) {
        const start = bytes.indexOf(10, at) + 1;
        const [blob = "", , size] = bytes.subarray(at, start).toString("latin1").split(" ");
        const end = start + Number(size);
        this.#texts.set(blob, bytes.subarray(start, end).toString("utf8"));
        at = end + 1;
      }
    }
    const texts = blobs.map((blob) => this.#texts.get(blob) ?? "");
    if (this.#texts.size > MAX_TEXTS) this.#texts.clear();
    return texts;
  }
}

function kept<T>(cache: Map<string, T>, key: string, make: () => T): T {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const made = make();
  const [oldest] = cache.keys();
  if (cache.size >= MAX_KEPT && oldest !== undefined) cache.delete(oldest);
  cache.set(key, made);
  return made;
}
