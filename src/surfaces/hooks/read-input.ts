import { read } from "node:fs";

/** Input of more bytes is not read: no prompt is that long, a file that a tool writes may be. */
const MAX_INPUT_BYTES = 8 * 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;
const CLOSING_BRACE = "}".charCodeAt(0);

/** How often to look for input that is on its way, where reading does not wait for it by itself. */
const LOOK_MS = 2;

/**
 * Reads one JSON value from stdin and parses it, at the latest at its end. A sender that leaves stdin open after a
 * whole value is not waited for. Rejects for anything but JSON and for too much of it; how long it may take is the
 * caller's to say, who ends by {@link endWhileReading} then.
 *
 * By plain reads in the background: setting up `process.stdin` takes 3 ms of a hook's 45.
 */
export async function readInput(): Promise<unknown> {
  const chunks: Buffer[] = [];
  for (let size = 0; ;) {
    const chunk = await readChunk();
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_INPUT_BYTES) throw new Error(`input of more than ${MAX_INPUT_BYTES} bytes`);
    const isEnd = chunk.length === 0;
    const lastVisible = chunk.findLast((byte) => byte > 0x20);
    if (!isEnd && (chunk.length === CHUNK_BYTES || lastVisible !== CLOSING_BRACE)) continue;
    try {
      return JSON.parse(Buffer.concat(chunks).toString("utf8")) as unknown;
    } catch (error) {
      // A piece that ended with a brace by chance: read on.
      if (isEnd) throw error;
    }
  }
}

/**
 * Ends the process while a read of stdin waits: Node's own exit waits for it too. Without a failure where Node can
 * become another program (from 22.15 on), else by a signal.
 */
export function endWhileReading(): void {
  const { execve } = process as { execve?: (file: string, args: string[]) => never };
  try {
    execve?.call(process, "/bin/sh", ["sh", "-c", ":"]);
  } catch {
    // There is none, or it may not be run.
  }
  process.kill(process.pid, "SIGKILL");
}

/** What is there by now, at least a byte; empty at the end of the input. */
function readChunk(): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const next = (): void => {
      read(0, Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, null, (error, length, chunk) => {
        // A pipe that its owner left non-blocking.
        if (error?.code === "EAGAIN") setTimeout(next, LOOK_MS);
        // What Windows says at the end of a pipe.
        else if (error && error.code !== "EOF") reject(error);
        else resolve(chunk.subarray(0, length));
      });
    };
    next();
  });
}
