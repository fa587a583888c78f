import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { execFileSync, spawn } from "node:child_process";

const MAX_BUFFER = 1024 * 1024 * 1024;
/** So many trees and lists of changes are kept; one of a large repository takes some ten megabytes. */
const MAX_KEPT = 12;
/** So many characters of texts are kept. */
const MAX_KEPT_CHARS = 64 * 1024 * 1024;

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

/** The trees and texts of a repository, for many looks: one process reads all texts. */
export class GitObjects {
  readonly #root: string;
  readonly #trees = new Map<string, ReadonlyMap<string, string>>();
  readonly #changes = new Map<string, FileChange[]>();
  readonly #texts = new Map<string, string | undefined>();
  #keptChars = 0;
  #reader: BlobReader | undefined;

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
      const parts = git(this.#root, ["diff-tree", "-r", "-z", "--no-renames", `${commit}^1`, commit]).split(
        "\0",
      );
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
    return blob === undefined ? undefined : this.text(blob);
  }

  async text(blob: string): Promise<string | undefined> {
    if (this.#texts.has(blob)) return this.#texts.get(blob);
    this.#reader ??= new BlobReader(this.#root);
    const text = await this.#reader.read(blob);
    this.#keptChars += text?.length ?? 0;
    if (this.#keptChars > MAX_KEPT_CHARS) {
      this.#texts.clear();
      this.#keptChars = text?.length ?? 0;
    }
    this.#texts.set(blob, text);
    return text;
  }

  close(): void {
    this.#reader?.close();
    this.#reader = undefined;
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

/** One `git cat-file --batch`, asked one blob after the other. */
class BlobReader {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting: ((text: string | undefined) => void)[] = [];
  #chunks: Buffer[] = [];
  #size = 0;
  /** Bytes needed before the next look: a large file comes in many chunks. */
  #needed = 1;

  constructor(root: string) {
    this.#child = spawn("git", [...SETTINGS, "cat-file", "--batch"], {
      cwd: root,
      env: { ...process.env, ...ENVIRONMENT },
    });
    this.#child.stdout.on("data", (chunk: Buffer) => {
      this.#chunks.push(chunk);
      this.#size += chunk.length;
      if (this.#size >= this.#needed) this.#answer();
    });
    this.#child.once("close", () => {
      for (const waiting of this.#waiting.splice(0)) waiting(undefined);
    });
  }

  async read(blob: string): Promise<string | undefined> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#child.stdin.write(`${blob}\n`);
    });
  }

  close(): void {
    this.#child.stdin.end();
  }

  #answer(): void {
    let bytes = Buffer.concat(this.#chunks);
    this.#needed = 1;
    for (;;) {
      const lineEnd = bytes.indexOf(10);
      if (lineEnd < 0) break;
      const [, type, size] = bytes.subarray(0, lineEnd).toString("latin1").split(" ");
      const length = size === undefined ? 0 : Number(size) + 1;
      if (bytes.length < lineEnd + 1 + length) {
        this.#needed = lineEnd + 1 + length;
        break;
      }
      const text = bytes.subarray(lineEnd + 1, lineEnd + Math.max(1, length)).toString("utf8");
      bytes = bytes.subarray(lineEnd + 1 + length);
      this.#waiting.shift()?.(type === "blob" ? text : undefined);
    }
    this.#chunks = [bytes];
    this.#size = bytes.length;
  }
}
