import { readSync } from "node:fs";

/** Input of more bytes is not read: no prompt is that long, a file that a tool writes may be. */
const MAX_INPUT_BYTES = 8 * 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;
const CLOSING_BRACE = "}".charCodeAt(0);

/** How long to wait for input that is on its way, and how often to look. */
const MAX_WAIT_MS = 1000;
const WAIT_MS = 2;

/**
 * Reads one JSON value from stdin and parses it, at the latest at its end. A sender that leaves stdin open after a
 * whole value is not waited for. Throws for anything but JSON and for too much of it.
 *
 * Read synchronously: setting up `process.stdin` takes a quarter of Node's own start, more than most answers. The
 * price is that no timer runs meanwhile; a client that sends nothing and keeps the pipe open ends the hook by its
 * own time limit, one that dies closes the pipe.
 */
export function readInput(): unknown {
  const chunks: Buffer[] = [];
  let size = 0;
  for (let waitedMs = 0; ;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const length = readChunk(chunk);
    if (length === undefined) {
      if ((waitedMs += WAIT_MS) > MAX_WAIT_MS) throw new Error(`no input within ${MAX_WAIT_MS} ms`);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
      continue;
    }
    chunks.push(chunk.subarray(0, length));
    size += length;
    if (size > MAX_INPUT_BYTES) throw new Error(`input of more than ${MAX_INPUT_BYTES} bytes`);
    if (length === 0) return JSON.parse(Buffer.concat(chunks).toString("utf8")) as unknown;
    const isMaybeWhole = length < CHUNK_BYTES && lastByte(chunk, length) === CLOSING_BRACE;
    if (!isMaybeWhole) continue;
    try {
      return JSON.parse(Buffer.concat(chunks).toString("utf8")) as unknown;
    } catch {
      // A piece that ended with a brace by chance: read on.
    }
  }
}

/** Bytes read; 0 at the end of the input, undefined when there are none yet. */
function readChunk(chunk: Buffer): number | undefined {
  try {
    return readSync(0, chunk);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EAGAIN") return undefined;
    // What Windows says at the end of a pipe.
    if (code === "EOF") return 0;
    throw error;
  }
}

/** The last byte that is no white space. */
function lastByte(chunk: Buffer, length: number): number | undefined {
  for (let at = length - 1; at >= 0; at--) {
    const byte = chunk[at] ?? 0;
    if (byte > 0x20) return byte;
  }
  return undefined;
}
