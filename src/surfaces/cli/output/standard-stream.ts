import { fstatSync, writeSync } from "node:fs";
import type { TextStream } from "./output.ts";

/**
 * Standard output or error for an answer. `process.stdout` takes Node several milliseconds to set up, a sixth of its
 * start: a pipe or a file is written to directly, and only a terminal (a character device) gets Node's own stream.
 */
export function standardStream(fd: 1 | 2): TextStream {
  if (isCharacterDevice(fd)) return fd === 1 ? process.stdout : process.stderr;
  return {
    write(text): void {
      for (let rest = Buffer.from(text); rest.length > 0;) rest = rest.subarray(writeSome(fd, rest));
    },
  };
}

function isCharacterDevice(fd: number): boolean {
  try {
    return fstatSync(fd).isCharacterDevice();
  } catch {
    return false;
  }
}

/** How many bytes were taken. A full pipe is waited for; a closed one is the reader's decision and ends the process. */
function writeSome(fd: number, bytes: Uint8Array): number {
  try {
    return writeSync(fd, bytes);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EPIPE") process.exit(0);
    if (code !== "EAGAIN") throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    return 0;
  }
}
