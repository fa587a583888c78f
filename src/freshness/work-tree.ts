import { existsSync, lstatSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { findGitDirectory, type GitDirectory } from "../machine/git-directory.ts";
import { namesInFolder, readRegularBytes, readRegularFile } from "../machine/regular-file.ts";

export type Look =
  | { kind: "file" | "folder"; state: FileStamp }
  | { kind: "missing" }
  /** It cannot be looked at: a link that leads out of the repository, a device, no permission. */
  | { kind: "barred"; why: string };

/** Tells whether a file is as it was, without reading it. */
interface FileStamp {
  mtimeMs: number;
  /** Change of the inode: a file put in place by a rename may bring an old time of its own. */
  ctimeMs: number;
  sizeBytes: number;
  inode: number;
}

/** What git may be asked: with its environment, and in this many milliseconds. */
export interface AskGit {
  env: Readonly<Record<string, string | undefined>>;
  timeoutMs?: number;
}

type TextLook = { text: string } | { missing: true } | { why: string };

/** Larger files are unchecked: source that a memory names is far smaller, and reading must stay short. */
export const MAX_FILE_BYTES: number = 2 * 1024 * 1024;

const MAX_KEPT_CHARS = 8 * 1024 * 1024;

/** Files of a work tree. Paths are confined by their real path, so that a hostile link leads nowhere. */
export class WorkTree {
  readonly root: string;
  readonly #looks = new Map<string, Look>();
  readonly #texts = new Map<string, TextLook>();
  readonly #held = new Map<string, Promise<((path: string) => boolean) | undefined>>();
  #keptChars = 0;

  constructor(root: string) {
    this.root = realpathSync(root);
  }

  /** Looks at a path, relative to the root with forward slashes; the answer is kept. */
  look(path: string): Look {
    const known = this.#looks.get(path);
    if (known) return known;
    const look = this.#lookAnew(path);
    this.#looks.set(path, look);
    return look;
  }

  text(path: string): TextLook {
    const known = this.#texts.get(path);
    if (known) return known;
    const read = this.#readAnew(path);
    if ("text" in read) this.#keptChars += read.text.length;
    if (this.#keptChars <= MAX_KEPT_CHARS) this.#texts.set(path, read);
    return read;
  }

  /** Bars paths that are missing because git has not checked them out here: those are not gone. */
  async settle(paths: readonly string[], git: AskGit): Promise<void> {
    for (const path of paths) {
      if (this.look(path).kind !== "missing") continue;
      const { repository, folder } = this.#holderOf(path);
      if (!repository || !mayHold(repository, folder)) continue;
      const { root } = repository;
      const held = this.#held.get(root) ?? heldBack(root, git);
      this.#held.set(root, held);
      const isHeld = await held;
      const asked = relative(realpathSync(root), join(this.root, path)).split(sep).join("/");
      if (isHeld && !isHeld(asked)) continue;
      const why = isHeld ? NOT_CHECKED_OUT : "git did not say whether it is checked out here";
      this.#looks.set(path, { kind: "barred", why });
      this.#texts.delete(path);
    }
  }

  /** Changes when git may have checked out what is missing, or no longer holds it. */
  absenceStamp(path: string): string {
    const { repository } = this.#holderOf(path);
    const index = repository && statSync(join(repository.gitDir, "index"), { throwIfNoEntry: false });
    return `-${index?.mtimeMs ?? ""}`;
  }

  /** The repository that a missing path belongs to, of a submodule its own, and the last folder above it that is there. */
  #holderOf(path: string): { repository: GitDirectory | undefined; folder: string } {
    let folder = dirname(join(this.root, path));
    // With its separator a file is none.
    while (folder.startsWith(this.root + sep) && !existsSync(folder + sep)) folder = dirname(folder);
    return { repository: findGitDirectory(folder), folder };
  }

  #lookAnew(path: string): Look {
    const full = join(this.root, path);
    try {
      const real = realpathSync(full);
      if (real !== this.root && !real.startsWith(this.root + sep))
        return { kind: "barred", why: "a link leads out of the repository" };
      const inner = real.slice(this.root.length + 1).split(sep);
      if (inner.some((part) => part.toLowerCase() === ".git"))
        return { kind: "barred", why: "git's own files are not read" };
      const stats = statSync(real);
      if (!stats.isFile() && !stats.isDirectory())
        return { kind: "barred", why: "it is neither file nor folder" };
      const { mtimeMs, ctimeMs, size: sizeBytes, ino: inode } = stats;
      return { kind: stats.isFile() ? "file" : "folder", state: { mtimeMs, ctimeMs, sizeBytes, inode } };
    } catch (error) {
      const code = (error as { code?: unknown }).code;
      if (code === "ENOENT" || code === "ENOTDIR") return missingOrDangling(full);
      return { kind: "barred", why: `it cannot be looked at (${String(code)})` };
    }
  }

  #readAnew(path: string): TextLook {
    const look = this.look(path);
    if (look.kind === "missing") return { missing: true };
    if (look.kind === "barred") return { why: look.why };
    if (look.kind === "folder") return { why: "it is a folder" };
    if (look.state.sizeBytes > MAX_FILE_BYTES)
      return { why: `it has ${look.state.sizeBytes} bytes, ${MAX_FILE_BYTES} at most are read` };
    try {
      // Lone bytes that are no UTF-8 are read as replacement marks: names and values around them still count.
      return {
        text: readRegularFile(join(this.root, path), { maxBytes: MAX_FILE_BYTES }).replace(/^\uFEFF/, ""),
      };
    } catch (error) {
      return { why: `it cannot be read (${String((error as { code?: unknown }).code)})` };
    }
  }
}

/** A link that leads nowhere inside the tree is missing; one whose target lies elsewhere is not followed. */
function missingOrDangling(full: string): Look {
  try {
    return lstatSync(full).isSymbolicLink()
      ? { kind: "barred", why: "a link leads nowhere" }
      : { kind: "missing" };
  } catch {
    return { kind: "missing" };
  }
}

export const NOT_CHECKED_OUT = "it is not checked out here";

/** Whether an index can hold what is not checked out: from version 3 on it can skip files; a submodule's folder is empty. */
function mayHold({ gitDir }: GitDirectory, folder: string): boolean {
  try {
    const head = readRegularBytes(join(gitDir, "index"), { maxBytes: 8, part: "beginning" });
    return head.readUInt32BE(4) > 2 || namesInFolder(folder).length === 0;
  } catch {
    return false;
  }
}

const LISTING_MS = 4_000;

/** Which paths git holds and has not checked out: what a sparse checkout skips, and what lies in submodules. */
async function heldBack(
  root: string,
  { env, timeoutMs = LISTING_MS }: AskGit,
): Promise<((path: string) => boolean) | undefined> {
  const { runGit } = await import("../machine/run-git.ts");
  const options = {
    cwd: root,
    env,
    timeoutMs: Math.min(Math.max(1, timeoutMs), LISTING_MS),
    maxBytes: 256 * 1024 * 1024,
  };
  const listed = await runGit(["ls-files", "-t", "-s", "-z"], options).catch(() => undefined);
  if (!listed) return undefined;
  const [skipped, submodules] = [new Set<string>(), new Set<string>()];
  for (const [, tag, mode, path = ""] of listed.stdout.matchAll(/(\w) (\d+) \w+ \d\t([^\0]+)\0/g)) {
    if (mode === "160000") submodules.add(path);
    if (tag === "S") for (const one of [path, ...foldersAbove(path)]) skipped.add(one);
  }
  return (path) => skipped.has(path) || foldersAbove(path).some((folder) => submodules.has(folder));
}

/** The folders that a path lies in, the nearest first. */
export function foldersAbove(path: string): string[] {
  const folders: string[] = [];
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1))
    folders.push(path.slice(0, at));
  return folders;
}
