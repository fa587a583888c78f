import { closeSync, readSync } from "node:fs";
import { IndexDamage } from "./index-damage.ts";
import { openRegularFile } from "../../platform/regular-file.ts";

/** Where the bytes of a segment come from: a file that is read in pieces, or a buffer. */
export interface ByteSource {
  readonly size: number;
  /** Exactly `length` bytes from `offset`; throws IndexDamage when there are fewer. */
  read(offset: number, length: number): Buffer;
  close(): void;
}

/** A segment in memory. */
export function bufferSource(bytes: Buffer): ByteSource {
  return {
    size: bytes.length,
    read: (offset, length) => {
      if (offset < 0 || length < 0 || offset + length > bytes.length)
        throw new IndexDamage("segment too short");
      return bytes.subarray(offset, offset + length);
    },
    close: () => {},
  };
}

/** A segment file, read by position: a cold search touches a small part of it. Throws when it cannot be opened. */
export function fileSource(file: string): ByteSource {
  const { handle: descriptor, stats } = openRegularFile(file);
  const { size } = stats;
  return {
    size,
    read: (offset, length) => {
      if (offset < 0 || length < 0 || offset + length > size) throw new IndexDamage("segment too short");
      // Slow: a buffer of its own starts at an aligned address, which typed-array views need.
      const bytes = Buffer.allocUnsafeSlow(length);
      if (readSync(descriptor, bytes, 0, length, offset) !== length)
        throw new IndexDamage("segment too short");
      return bytes;
    },
    close: () => closeSync(descriptor),
  };
}
