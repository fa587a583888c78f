import { findHostile } from "../../memory/screening/hostile-text.ts";
import { type MemoryHeader, type MemoryMetadata, type StoreRef, isMemoryFile } from "../../memory/memory.ts";
import type { TypeTable } from "../../memory/memory-type.ts";
import { parseMemories } from "../../memory/codec/parse-memory.ts";
import { type Problem, invalidInput } from "../../machine/heed-error.ts";
import { cutShown } from "../../memory/screening/find-secrets.ts";
import { splitFrontMatter } from "../../memory/codec/front-matter.ts";
import {
  folderChangedMs,
  systemCode,
  readFileBelow,
  refuseLinks,
  statIfThere,
} from "../../machine/regular-file.ts";
import { hash } from "node:crypto";
import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";

export interface StoredMemory {
  metadata: MemoryMetadata;
  body: string;
}

export interface StoreScan {
  memories: StoredMemory[];
  problems: Problem[];
}

/** A file over this size is reported and left out: no memory that a person keeps is a tenth of it. */
export const MAX_FILE_BYTES: number = 512 * 1024;
/** Reads every memory of a store, in any nesting. One broken file or unreadable folder is reported and skipped. */
export function scanStore(store: StoreRef, types: TypeTable): StoreScan {
  const { files, problems } = walkStore(store.root);
  const scan: StoreScan = { memories: [], problems };
  for (const file of files) {
    const read = readMemoryFile(store, file, types);
    scan.problems.push(...read.problems);
    scan.memories.push(...read.memories);
  }
  return scan;
}

interface MemoryFile {
  /** The file as it stood when it was opened; undefined where it could not be. */
  state: FileState | undefined;
  /** Undefined where it could not be read, or is too large. */
  text?: string;
  /** It is there, and this user may not read it. */
  isForbidden?: boolean;
  /** The file's memory; of a file with several, the first. */
  memory: StoredMemory | undefined;
  /** All memories of the file: one, except in files of other tools (see parseMemories). */
  memories: StoredMemory[];
  problems: Problem[];
}

export function readMemoryFile(store: StoreRef, file: string, types: TypeTable): MemoryFile {
  const broken = (code: string, message: string, remedy: string, state?: FileState): MemoryFile => ({
    state,
    memory: undefined,
    memories: [],
    problems: [{ file, severity: "error", code, message, remedy }],
  });
  try {
    const { text, stats } = readFileBelow(store.root, file, MAX_FILE_BYTES);
    const state = { file, mtimeMs: stats.mtimeMs, sizeBytes: stats.size };
    if (text === undefined)
      return broken("too-large", `${stats.size} bytes, ${MAX_FILE_BYTES} at most`, "split the memory", state);
    return { state, text, ...parseMemoryFile(store, file, text, types, state) };
  } catch (error) {
    const isForbidden = ["EACCES", "EPERM"].includes(systemCode(error) ?? "");
    const message = error instanceof Error ? error.message : String(error);
    const remedy = isForbidden ? "fix the permissions of the file" : "put the file itself in its place";
    return { ...broken("unreadable", message, remedy), isForbidden };
  }
}

/** A memory from the text of a file that need not be on disk, with what is wrong with the text. */
export function parseMemoryFile(
  store: StoreRef,
  file: string,
  text: string,
  types: TypeTable,
  state: FileState = { file, mtimeMs: 0, sizeBytes: Buffer.byteLength(text) },
): Pick<MemoryFile, "memory" | "memories" | "problems"> {
  // Another tool's note is a fact, unless it says what else it is.
  const place = { file, storeId: store.id, ...(store.kind === "attached" && { defaultType: "project" }) };
  const { memories, problems } = parseMemories(text, place, types);
  const stored = memories.map(({ body, ...header }): StoredMemory => {
    const metadata: MemoryMetadata = {
      ...header,
      storeId: store.id,
      ...state,
      // A section changes by itself: its neighbours in the file say nothing about it.
      contentHash: contentHashOf(header.section === undefined ? text : body),
      bodyLength: body.length,
      ...flagsOf(header, body),
    };
    return { metadata, body };
  });
  return {
    memory: stored[0],
    memories: stored,
    problems: [...problems, ...unreadableBytes(file, text), ...misleadingName(file)],
  };
}

/** Bytes that are no UTF-8 are read as U+FFFD: what stood there is not known. */
function unreadableBytes(file: string, text: string): Problem[] {
  const at = text.indexOf("\uFFFD");
  if (at < 0) return [];
  return [
    {
      file,
      line: text.slice(0, at).split("\n").length,
      severity: "error",
      code: "not-utf-8",
      message:
        "it contains bytes that are not UTF-8, or a character that was lost before: it is shown with gaps, and not changed",
      remedy: `write it again as UTF-8, for example with: iconv -f latin1 -t utf-8 ${file}`,
    },
  ];
}

/** No memory needs such a name, and it is shown to people as another. */
function misleadingName(file: string): Problem[] {
  if (!/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069\uFFFD]/u.test(file)) return [];
  const message = "its name contains control characters, or bytes that are not UTF-8";
  return [{ file, severity: "error", code: "file-name", message, remedy: "give the file another name" }];
}

/** Checked whenever a file is read, since not every file came through a gate. */
function flagsOf(header: MemoryHeader, body: string): Pick<MemoryMetadata, "flags"> {
  const { name, statement, tags, aliases, trigger } = header;
  const found = findHostile([name, statement, ...tags, ...aliases, ...trigger, body].join("\n"));
  return found.length > 0 ? { flags: found } : {};
}

/** The memory files of a directory, relative to it, sorted. */
export const listMemoryFiles = (root: string): string[] => walkStore(root).files;

/** First 16 hex digits of the SHA-256 of a file's text: tells whether it changed since it was read. */
export function contentHashOf(text: string): string {
  return hash("sha256", text).slice(0, 16);
}

export interface StoreWalk {
  files: string[];
  folders: FolderState[];
  problems: Problem[];
  isCut: boolean;
}

export interface FileState {
  file: string;
  mtimeMs: number;
  sizeBytes: number;
}

/** A folder with the time at which an entry of it, or its own name, last changed. The root of a store is "". */
export interface FolderState {
  folder: string;
  /** No time that a person can set (ctime). NaN, which equals nothing, where it tells nothing: see {@link folderChangedMs}. */
  changedMs: number;
}

/** Folders deeper than this are left out, as are more files than this, with a problem: a store is no file system. */
const MAX_DEPTH = 8;
const MAX_FILES = 250_000;

/** Whether a file of a store is where memories are looked for: in no hidden folder, and in none that is too deep. */
export function isReadInStore(file: string): boolean {
  return !/(?:^|\/)\./.test(file) && file.split("/").length - 1 <= MAX_DEPTH;
}

/** Folders are listed until `untilMs` of `performance.now()`; those that `isFirst` names first, and whatever the time. */
interface WalkBounds {
  maxFiles?: number;
  untilMs?: number;
  isFirst?: (folder: string) => boolean;
}

/** Lists a store in any nesting, without hidden folders (tombstones, git). What is left out otherwise is a problem. */
export function walkStore(
  root: string,
  { maxFiles = MAX_FILES, untilMs = Infinity, isFirst = () => false }: WalkBounds = {},
): StoreWalk {
  const walk: StoreWalk = { files: [], folders: [], problems: [], isCut: false };
  const told = new Set<string>();
  const leaveOut = (file: string, code: string, message: string, remedy: string): void => {
    // Once is enough: what is too much is too much many times.
    if (code.startsWith("too-") && told.has(code)) return;
    told.add(code);
    const severity = code === "symlink" || code === "too-deep" ? "warning" : "error";
    walk.problems.push({ file, severity, code, message, remedy });
  };
  const visit = (folder: string, depth: number): void => {
    if (folder !== "" && !isFirst(folder) && performance.now() > untilMs) {
      walk.isCut = true;
      return;
    }
    let entries: Dirent[];
    // Before it is listed: what changes while it is read then differs from this at the next look.
    const state = { folder, changedMs: folderChangedMs(join(root, folder)) };
    try {
      entries = readdirSync(join(root, folder), { withFileTypes: true });
    } catch (error) {
      // A store that is not there has no memories; a folder in it that cannot be read hides some.
      if (folder !== "") leaveOut(folder, "unreadable", String(error), "fix the permissions of the folder");
      return;
    }
    walk.folders.push(state);
    const inner: string[] = [];
    for (const entry of entries) {
      if (entry.name.startsWith(".")) continue;
      const file = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isSymbolicLink()) {
        const why = "a symbolic link, which is not followed: it may lead out of the store";
        leaveOut(file, "symlink", why, "put the file itself here, or attach the directory that it leads to");
      } else if (entry.isDirectory()) {
        const why = `files more than ${MAX_DEPTH} folders deep are not read`;
        if (depth < MAX_DEPTH) inner.push(file);
        else leaveOut(file, "too-deep", why, "move them up, if they are memories");
      } else if (entry.isFile() && isMemoryFile(entry.name)) {
        const why = `at most ${maxFiles} files are read: not this one, nor those after it`;
        if (walk.files.length < maxFiles) walk.files.push(file);
        else leaveOut(file, "too-many-files", why, "split the store");
      }
    }
    for (const file of inner.sort((a, b) => Number(isFirst(b)) - Number(isFirst(a)))) visit(file, depth + 1);
  };
  visit("", 0);
  walk.files.sort();
  return walk;
}

export function fileStates(root: string, names: readonly string[]): FileState[] {
  const states: FileState[] = [];
  for (const file of names) {
    const stats = statIfThere(join(root, file));
    if (stats) states.push({ file, mtimeMs: stats.mtimeMs, sizeBytes: stats.size });
  }
  return states;
}

/** Longest file name in bytes without its ending: file systems take 255, and drafts and suffixes need some of it. */
const MAX_NAME_BYTES = 200;

/** Names that Windows keeps for devices, with any ending. */
const WINDOWS_DEVICES = /^(con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)$/;

/** Files that are generated or for people (see scan-store): a memory must not hide behind such a name. */
const NOT_MEMORY_NAMES = /^(memory|readme|changelog|license|claude|agents)$/;

/**
 * File name of a memory or type, without ending: safe on every common file system, the same where case does not count.
 * @throws HeedError `invalid-input` when nothing is left.
 */
export function fileNameOf(name: string): string {
  const plain = name
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}._-]+/gu, "-")
    .replace(/^[.-]+/, "");
  let cut = "";
  for (const character of plain) {
    if (Buffer.byteLength(cut + character) > MAX_NAME_BYTES) break;
    cut += character;
  }
  const safe = cut.replace(/[.-]+$/, "");
  if (safe === "") {
    throw invalidInput("name", name, `"${cutShown(name, 80)}" is not a name: use letters, digits and dashes`);
  }
  const stem = safe.split(".")[0] ?? "";
  return WINDOWS_DEVICES.test(stem) || NOT_MEMORY_NAMES.test(safe)
    ? `${safe.replaceAll(".", "-")}-memory`
    : safe;
}

/** The folder of a type's memories: its name, but the plural for episodes, which are many. */
export function folderOfType(type: string): string {
  return type === "episode" ? "episodes" : fileNameOf(type);
}

/** Absolute path of a file of a store. @throws HeedError `invalid-input` outside of it, `io-failed` behind a link. */
export function pathInStore(root: string, file: string): string {
  const parts = file.split("/");
  if (
    parts.some((part) => part === "" || part === "." || part === ".." || /[\\\0]/.test(part)) ||
    /^[a-z]:/i.test(file)
  ) {
    throw invalidInput("file", file, `"${file}" is not a path inside a store`);
  }
  refuseLinks(root, file);
  return join(root, ...parts);
}

/** The id that a memory's text gives itself, or undefined; cheap, since histories hold many texts. */
export function memoryIdIn(text: string): string | undefined {
  const { yaml } = splitFrontMatter(text);
  return /^[ \t]*id:[ \t]*["']?([\w-]{1,64})["']?[ \t]*(?:#.*)?$/m.exec(yaml)?.[1];
}
