import { fstatSync } from "node:fs";
import { writeWhole } from "../../write-whole.ts";
import type { TextStream } from "./output.ts";

/**
 * Standard output or error for an answer. `process.stdout` takes Node several milliseconds to set up, a sixth of its
 * start: a pipe or a file is written to directly, and only a terminal (a character device) gets Node's own stream.
 */
export function standardStream(fd: 1 | 2): TextStream {
  if (isCharacterDevice(fd)) return fd === 1 ? process.stdout : process.stderr;
  return { write: (text) => writeWhole(fd, text) };
}

function isCharacterDevice(fd: number): boolean {
  try {
    return fstatSync(fd).isCharacterDevice();
  } catch {
    return false;
  }
}
