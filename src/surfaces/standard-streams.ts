import { read, fstatSync, statSync, writeSync } from "node:fs";

/** Input of more bytes is not parsed: no prompt is that long, a file that a tool writes may be. */
const MAX_INPUT_BYTES = 8 * 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;
const CLOSING_BRACE = "}".charCodeAt(0);

/** How long a hook waits for its whole input: with its deadline after it, less than the 5 s that clients give it. */
const MAX_WAIT_MS = 3000;

/** How often to look for input that is on its way, where reading does not wait for it by itself. */
const LOOK_MS = 2;

/** Where the launcher leaves the input that it read on its way to a server. */
export const READ_INPUT: unique symbol = Symbol.for("heed.input");

/** A client's JSON object; else what came, and why it is none. */
export type Input = { value: object } | { text: string; why: string; isEnded: boolean };

/**
 * Reads one JSON object from stdin, until it is whole, stdin ends or 3 s are over; then the caller ends by
 * {@link endWhileReading}. By plain reads: setting up `process.stdin` takes 3 ms of a hook's 45.
 */
export async function readInput(): Promise<Input> {
  const chunks: Buffer[] = [];
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, MAX_WAIT_MS, undefined);
  });
  const unread = (why: string, isEnded = true): Input => ({ text: textOf(chunks), why, isEnded });
  try {
    for (let size = 0; ;) {
      const chunk = await Promise.race([readChunk(), late]);
      if (chunk === undefined) return unread(`no whole input came within ${MAX_WAIT_MS} ms`, false);
      chunks.push(chunk);
      size += chunk.length;
      const isTooLong = size > MAX_INPUT_BYTES;
      // Its edges say of which event it was.
      if (isTooLong) chunks.splice(1, chunks.length - 3);
      const isEnd = chunk.length === 0;
      const lastVisible = Buffer.from(chunk)
        .reverse()
        .find((byte) => byte > 0x20);
      if (!isEnd && (chunk.length === CHUNK_BYTES || lastVisible !== CLOSING_BRACE)) continue;
      if (isTooLong) return unread(`its input is longer than ${MAX_INPUT_BYTES / 1024 / 1024} MB`);
      const value = parsed(textOf(chunks));
      if (value) return { value };
      // A piece that ended with a brace by chance: read on.
      if (isEnd) return unread(size === 0 ? "its input is empty" : "its input is no JSON object");
    }
  } finally {
    clearTimeout(timer);
  }
}

function parsed(text: string): object | undefined {
  try {
    // What stands before the object is a byte order mark, or several, read right or wrong.
    const value: unknown = JSON.parse(text.slice(Math.max(0, text.indexOf("{"))));
    return value instanceof Object && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** UTF-8, or UTF-16 by the zero byte in its first characters. */
function textOf(chunks: readonly Buffer[]): string {
  const bytes = Buffer.concat(chunks);
  const zero = bytes.subarray(0, 8).indexOf(0);
  if (zero < 0) return bytes.toString("utf8");
  return (zero % 2 === 1 ? bytes : bytes.subarray(0, bytes.length - (bytes.length % 2)).swap16()).toString(
    "utf16le",
  );
}

/** Ends the process while a read waits, as Node's exit does not: from 22.15 on as another program, else by a signal. */
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

/** How long to wait before writing again to a full pipe. */
const PAUSE_MS = 5;

/**
 * Writes a text to standard output or error without Node's own stream, which takes several milliseconds to set up. A
 * full pipe is waited for; one that the reader closed is the reader's decision and ends the process.
 */
export function writeWhole(fd: 1 | 2, text: string): void {
  for (let rest = Buffer.from(text); rest.length > 0;) rest = rest.subarray(writeSome(fd, rest));
}

/** Whether it is a device other than /dev/null: what tells for certain (`isatty`, a stream of Node) takes milliseconds. */
export function mayBeTerminal(fd: number): boolean {
  try {
    const device = fstatSync(fd);
    return (
      device.isCharacterDevice() && device.rdev !== statSync("/dev/null", { throwIfNoEntry: false })?.rdev
    );
  } catch {
    return false;
  }
}

/** How many bytes were taken. */
function writeSome(fd: number, bytes: Uint8Array): number {
  try {
    return writeSync(fd, bytes);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EPIPE") process.exit(0);
    if (code !== "EAGAIN") throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    return 0;
  }
}
