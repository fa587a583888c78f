import { lstatSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { readRegularFile } from "../machine/regular-file.ts";

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

type TextLook = { text: string } | { missing: true } | { why: string };

/** Larger files are unchecked: source that a memory names is far smaller, and reading must stay short. */
export const MAX_FILE_BYTES: number = 2 * 1024 * 1024;

const MAX_KEPT_CHARS = 8 * 1024 * 1024;

/** Files of a work tree. Paths are confined by their real path, so that a hostile link leads nowhere. */
export class WorkTree {
  readonly root: string;
  readonly #looks = new Map<string, Look>();
  readonly #texts = new Map<string, TextLook>();
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
