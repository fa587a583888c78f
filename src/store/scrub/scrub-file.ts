import { lstatSync, renameSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { HeedError, invalidInput } from "../../machine/heed-error.ts";
import { writeFileAtomic } from "../../machine/atomic-file.ts";
import { withIoErrors, readRegularBytes } from "../../machine/regular-file.ts";
import { slugOf } from "../../memory/handle.ts";

const MAX_TRIES = 20;

/**
 * Takes a value out of a file, in one step, and out of its name. Loses nothing that others append meanwhile.
 * @throws HeedError `io-failed`, `locked` when the file changes all the time.
 */
export function scrubFile(path: string, root: string, value: LeakedValue): void {
  const message = `${path} keeps changing: stop what writes to it, and scrub again`;
  const changing = new HeedError("locked", message, { lock: path, waitedMs: 0 });
  withIoErrors("scrub", path, () => {
    for (let tries = 1; ; tries++) {
      const before = lstatSync(path, { throwIfNoEntry: false });
      const text = readBytes(path);
      if (!before || text === undefined) return;
      const clean = value.replace(text);
      if (clean === text) break;
      const beforeRename = (): void => {
        const now = lstatSync(path, { throwIfNoEntry: false });
        if (now?.size !== before.size || now.mtimeMs !== before.mtimeMs) throw changing;
      };
      try {
        writeFileAtomic(path, Buffer.from(clean, "latin1"), { beforeRename });
        break;
      } catch (error) {
        if (error !== changing || tries === MAX_TRIES) throw error;
      }
    }
    renameWithout(path, root, value);
  });
}

/** Gives a file, and the folders between it and the root, names without the value. */
function renameWithout(path: string, root: string, value: LeakedValue): void {
  const name = basename(path);
  const clean = Buffer.from(value.replace(Buffer.from(name).toString("latin1")), "latin1").toString("utf8");
  let now = path;
  if (clean !== name) {
    now = join(dirname(path), freeName(dirname(path), clean.replace(/[()]/g, "")));
    renameSync(path, now);
  }
  if (dirname(now) !== root && dirname(now).startsWith(root)) renameWithout(dirname(now), root, value);
}

function freeName(folder: string, name: string): string {
  const dot = name.lastIndexOf(".");
  const [stem, end] = dot <= 0 ? [name, ""] : [name.slice(0, dot), name.slice(dot)];
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${stem}-${number}${end}`;
    if (!lstatSync(join(folder, candidate), { throwIfNoEntry: false })) return candidate;
  }
}

export interface LeakedFile {
  path: string;
  occurrences: number;
  isInName: boolean;
}

const MAX_FILE_BYTES = 512 * 1024 * 1024;

/** All regular files below a folder but those in the folders left out; links are not followed. */
export function filesBelow(root: string, leftOut: (path: string) => boolean): string[] {
  const files: string[] = [];
  const visit = (folder: string): void => {
    let entries;
    try {
      entries = readdirSync(folder, { withFileTypes: true });
    } catch {
      return;
    }
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (leftOut(path)) continue;
      if (entry.isDirectory()) visit(path);
      else if (entry.isFile()) files.push(path);
    }
  };
  visit(root);
  return files.sort();
}

/** The files of a list in which a value stands, in any form. A file that has gone is left out. */
export function findLeaks(files: readonly string[], root: string, value: LeakedValue): LeakedFile[] {
  return files.flatMap((path): LeakedFile[] => {
    const text = readBytes(path);
    if (text === undefined) return [];
    const occurrences = value.count(text);
    const isInName = value.count(Buffer.from(path.slice(root.length)).toString("latin1")) > 0;
    return occurrences > 0 || isInName ? [{ path, occurrences, isInName }] : [];
  });
}

/** The bytes of a regular file as Latin-1, so that any file survives a replacement; undefined for anything else. */
function readBytes(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile() || stats.size > MAX_FILE_BYTES) return undefined;
  try {
    return readRegularBytes(path, { maxBytes: MAX_FILE_BYTES, isLinkRefused: true }).toString("latin1");
  } catch {
    return undefined;
  }
}

/** Shorter values stand in too many honest places. */
const MIN_CHARS = 6;
/** A private key of 8,192 bits has 6,400. From expressions that a longer one makes V8 runs out of memory, for good. */
const MAX_BYTES = 8 * 1024;
/** Of a longer value no cut beginning is looked for: each character that may be missing is a level of nesting. */
const MAX_CUT_BYTES = 4 * 1024;
/** A slug or the beginning of a value that is shorter than this says too little to be taken for it. */
const MIN_PART_CHARS = 12;
/** What stands for the value afterwards: harmless in YAML, JSON and markdown, in the middle of a word too. */
const MARK = "(scrubbed)";
const SLUG_MARK = "scrubbed";

/**
 * A value to find and replace in every form heed may have written it: plain, escaped for JSON, YAML and URLs, base64 or
 * hex, indented or joined, as a slug, cut to its beginning. Files are Latin-1 strings of their bytes.
 */
export class LeakedValue {
  readonly #forms: readonly { pattern: RegExp; mark: string }[];

  /** @throws HeedError `invalid-input` for a value that is too short or too long. */
  constructor(value: string) {
    const plain = value.replace(/^\s+|\s+$/g, "");
    if (plain.length < MIN_CHARS || Buffer.byteLength(plain) > MAX_BYTES)
      throw invalidInput(
        "value",
        // The value itself is not repeated: errors are logged.
        plain.length,
        `a value of ${plain.length} characters cannot be scrubbed: give ${MIN_CHARS} characters to ${MAX_BYTES} bytes, since it is replaced wherever it is`,
      );
    const quoted = JSON.stringify(plain).slice(1, -1);
    const whole = [
      plain,
      quoted,
      JSON.stringify(quoted).slice(1, -1),
      plain.replaceAll("'", "''"),
      encodeURIComponent(plain),
      encodeURI(plain),
      new URLSearchParams({ v: plain }).toString().slice(2),
    ].map(patternOf);
    const encoded = ["base64", "base64url", "hex"] as const;
    const alone = [plain, `${plain}\n`, value].flatMap((text) =>
      encoded.map(
        (encoding) =>
          `(?<![\\w+/-])${escape(Buffer.from(text).toString(encoding).replace(/=+$/, ""))}={0,2}(?![\\w+/-])`,
      ),
    );
    const slug = slugOf(plain);
    const forms = [...unique([...whole, ...alone])].map((source) => ({
      pattern: new RegExp(source, "g"),
      mark: MARK,
    }));
    if (slug.length >= MIN_PART_CHARS && slug !== plain)
      forms.push({ pattern: new RegExp(escape(latin1(slug)), "gi"), mark: SLUG_MARK });
    const beginning = beginningOf(plain);
    if (beginning !== undefined) forms.push({ pattern: new RegExp(beginning, "g"), mark: MARK });
    this.#forms = forms;
  }

  count(text: string): number {
    let found = 0;
    this.replace(text, () => (found += 1));
    return found;
  }

  replace(text: string, tell?: () => void): string {
    return this.#forms.reduce(
      (rest, { pattern, mark }) =>
        rest.replace(pattern, () => {
          tell?.();
          return mark;
        }),
      text,
    );
  }
}

/** The value with each of its line breaks in any form: escaped, indented, folded into a blank. */
function patternOf(form: string): string {
  return (
    form
      .split(/(?:\r?\n|\\n|\\\\n|%0A)/i)
      // Blanks that indent or fold; another kind of white space is a part of the value.
      .map((line) => line.replace(/^[ \t]+|[ \t]+$/g, ""))
      .filter((line) => line !== "")
      .map((line) => escape(latin1(line)))
      .join("(?:\\s|\\\\{1,2}[nrt]|%0[AaDd]|[>|])+")
  );
}

/** Three fifths of a long value, and as much of the rest as follows: what a cut has left of it. */
function beginningOf(plain: string): string | undefined {
  const length = Math.max(MIN_PART_CHARS, Math.ceil(plain.length * 0.6));
  if (plain.length < length + 4 || /\s/.test(plain)) return undefined;
  if (latin1(plain).length > MAX_CUT_BYTES) return undefined;
  const rest = Array.from(latin1(plain.slice(length)), escape);
  return escape(latin1(plain.slice(0, length))) + rest.reduceRight((tail, char) => `(?:${char}${tail})?`, "");
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

function latin1(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

function unique(sources: readonly string[]): Set<string> {
  // The longest first: a form may hold another one.
  return new Set(sources.filter((source) => source !== "").sort((a, b) => b.length - a.length));
}
