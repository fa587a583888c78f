import { fstatSync, statSync, writeSync } from "node:fs";

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
