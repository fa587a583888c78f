import { findHostile } from "../../screening/find-hostile.ts";
import type { MemoryHeader } from "../../memory/memory.ts";
import type { MemoryMetadata } from "../../memory/memory-metadata.ts";
import type { TypeTable } from "../../memory/memory-type.ts";
import { parseMemories } from "../../memory/codec/parse-memories.ts";
import type { Problem } from "../../errors/problem.ts";
import type { StoreRef } from "../../memory/store-ref.ts";
import { type FileState, walkStore } from "./walk-store.ts";
import { systemCode } from "../../platform/io-failure.ts";
import { readFileBelow } from "../../platform/regular-file.ts";
import { createHash } from "node:crypto";

/** A memory as it stands in a store: its metadata and its text. */
export interface StoredMemory {
  metadata: MemoryMetadata;
  body: string;
}

/** Everything that a scan of the files found. */
export interface StoreScan {
  memories: StoredMemory[];
  problems: Problem[];
}

/** A file over this size is reported and left out: no memory that a person keeps is a tenth of it. */
export const MAX_FILE_BYTES: number = 512 * 1024;
/** Reads every memory of a store, in any nesting. One broken file or unreadable folder is reported and skipped. */
export function scanStore(store: StoreRef, types: TypeTable): StoreScan {
  const scan: StoreScan = { memories: [], problems: [] };
  for (const file of listMemoryFiles(store.root, scan.problems)) {
    const read = readMemoryFile(store, file, types);
    scan.problems.push(...read.problems);
    scan.memories.push(...read.memories);
  }
  return scan;
}

/** What came of reading one file of a store. */
interface MemoryFile {
  /** The file as it stood when it was opened; undefined where it could not be. */
  state: FileState | undefined;
  /** It is there, and this user may not read it. */
  isForbidden?: boolean;
  /** The file's memory; of a file with several, the first. */
  memory: StoredMemory | undefined;
  /** All memories of the file: one, except in files of other tools (see parseMemories). */
  memories: StoredMemory[];
  problems: Problem[];
}

/** Reads one file of a store. */
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
    return parseFile(store, state, text, types);
  } catch (error) {
    const isForbidden = ["EACCES", "EPERM"].includes(systemCode(error) ?? "");
    return { ...broken("unreadable", String(error), "mend the permissions of the file"), isForbidden };
  }
}

/** A memory from the text of a file that need not be on disk, with what is wrong with the text. */
export function parseMemoryFile(
  store: StoreRef,
  file: string,
  text: string,
  types: TypeTable,
): { memory: StoredMemory | undefined; problems: Problem[] } {
  return parseFile(store, { file, mtimeMs: 0, sizeBytes: Buffer.byteLength(text) }, text, types);
}

function parseFile(store: StoreRef, state: FileState, text: string, types: TypeTable): MemoryFile {
  const { file } = state;
  const { memories, problems } = parseMemories(text, { file, storeId: store.id }, types);
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
    state,
    memory: stored[0],
    memories: stored,
    problems: [...problems, ...unreadableBytes(file, text)],
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
        "it holds bytes that are no UTF-8, or a character that was lost before: it is shown with gaps, and not changed",
      remedy: `write it again as UTF-8, for example with: iconv -f latin1 -t utf-8 ${file}`,
    },
  ];
}

/** Checked whenever a file is read, since not every file came through a gate. */
function flagsOf(header: MemoryHeader, body: string): Pick<MemoryMetadata, "flags"> {
  const { name, description, tags, aliases, trigger } = header;
  const found = findHostile([name, description, ...tags, ...aliases, ...trigger, body].join("\n"));
  return found.length > 0 ? { flags: found.map(({ kind }) => kind) } : {};
}

/** The memory files of a directory, relative to it, sorted (see walkStore). */
export function listMemoryFiles(root: string, problems: Problem[] = []): string[] {
  const walk = walkStore(root);
  problems.push(...walk.problems);
  return walk.files;
}

/** First 16 hex digits of the SHA-256 of a file's text: tells whether it changed since it was read. */
export function contentHashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
