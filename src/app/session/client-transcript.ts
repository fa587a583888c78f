import { readRegularFile } from "../../platform/regular-file.ts";

/** The last records of a transcript lie in so many bytes; each carries the version of the client that wrote it. */
const TAIL_BYTES = 64 * 1024;
/** The first Claude Code that was seen to keep what hooks told at the very end of a conversation is of this line. */
const KEEPS_LAST_HOOKS: readonly number[] = [2, 1, 139];

/**
 * Whether the client that wrote a transcript resumes a session without what hooks told after the last message, as after
 * a compaction with which a process ended: Claude Code 2.1.112 goes on from the last message, 2.1.330 from the last
 * record. False for a transcript that cannot be read or names no version.
 */
export function forgetsLastHooks(transcript: string | undefined): boolean {
  const versions = transcript === undefined ? [] : [...readTail(transcript).matchAll(VERSION)];
  const last = versions.at(-1)?.slice(1).map(Number);
  if (!last) return false;
  const at = last.findIndex((part, i) => part !== KEEPS_LAST_HOOKS[i]);
  return at >= 0 && (last[at] ?? 0) < (KEEPS_LAST_HOOKS[at] ?? 0);
}

const VERSION = /"version":"(\d{1,4})\.(\d{1,4})\.(\d{1,6})"/g;

function readTail(file: string): string {
  try {
    return readRegularFile(file, { maxBytes: TAIL_BYTES, part: "end" });
  } catch {
    return "";
  }
}
