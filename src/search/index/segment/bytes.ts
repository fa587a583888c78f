import { closeSync, readSync } from "node:fs";
import { openRegularFile } from "../../../machine/regular-file.ts";

/** Reads what a ByteWriter wrote; a read past the end is damage, not `undefined`. */
export class ByteReader {
  readonly bytes: Buffer;
  readonly end: number;
  at: number;

  constructor(bytes: Buffer, at = 0, end: number = bytes.length) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }

  #advance(count: number): number {
    const from = this.at;
    this.at += count;
    if (this.at > this.end) throw new IndexDamage("read past the end");
    return from;
  }

  varint(): number {
    const first = this.bytes[this.at] as number;
    if (first < 0x80 && this.at < this.end) {
      this.at++;
      return first;
    }
    let value = 0;
    let factor = 1;
    for (;;) {
      const byte = this.bytes[this.#advance(1)] as number;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 0x80;
      if (factor > Number.MAX_SAFE_INTEGER) throw new IndexDamage("varint too long");
    }
  }

  uint32(): number {
    return this.bytes.readUInt32LE(this.#advance(4));
  }

  float64(): number {
    return this.bytes.readDoubleLE(this.#advance(8));
  }

  slice(length: number): Buffer {
    return this.bytes.subarray(this.#advance(length), this.at);
  }

  string(): string {
    const length = this.varint();
    const from = this.#advance(length);
    return this.bytes.toString("utf8", from, this.at);
  }
}

export class ByteWriter {
  #bytes: Buffer;
  length = 0;

  constructor(capacity = 1024) {
    this.#bytes = Buffer.allocUnsafeSlow(capacity);
  }

  #reserve(count: number): Buffer {
    const needed = this.length + count;
    if (needed > this.#bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
      this.#bytes.copy(grown, 0, 0, this.length);
      this.#bytes = grown;
    }
    return this.#bytes;
  }

  varint(value: number): void {
    const bytes = this.#reserve(8);
    let rest = value;
    while (rest >= 0x80) {
      bytes[this.length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    bytes[this.length++] = rest;
  }

  uint32(value: number): void {
    this.length = this.#reserve(4).writeUInt32LE(value, this.length);
  }

  float64(value: number): void {
    this.length = this.#reserve(8).writeDoubleLE(value, this.length);
  }

  /** Length in bytes as varint, then UTF-8. */
  string(value: string): void {
    const bytes = Buffer.from(value);
    this.varint(bytes.length);
    this.bytes(bytes);
  }

  bytes(source: Uint8Array): void {
    this.#reserve(source.length).set(source, this.length);
    this.length += source.length;
  }

  view(): Buffer {
    return this.#bytes.subarray(0, this.length);
  }

  clear(): void {
    this.length = 0;
  }
}

/** Where the bytes of a segment come from: a file that is read in pieces, or a buffer. */
export interface ByteSource {
  readonly size: number;
  /** Exactly `length` bytes from `offset`; throws IndexDamage when there are fewer. */
  read(offset: number, length: number): Buffer;
  close(): void;
}

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
  let isOpen = true;
  return {
    size,
    read: (offset, length) => {
      // The number may be another file's by now. No damage: work that outlived its call came too late.
      if (!isOpen) throw new Error("the index was closed");
      if (offset < 0 || length < 0 || offset + length > size) throw new IndexDamage("segment too short");
      // Slow: a buffer of its own starts at an aligned address, which typed-array views need.
      const bytes = Buffer.allocUnsafeSlow(length);
      if (readSync(descriptor, bytes, 0, length, offset) !== length)
        throw new IndexDamage("segment too short");
      return bytes;
    },
    close: () => {
      isOpen = false;
      closeSync(descriptor);
    },
  };
}

const MULTIPLIER = 0x9e3779b1;

/** 32-bit checksum, four bytes at a time: damage in one word is always noticed, other damage with 1 - 2^-32. */
export function checksumOf(bytes: Buffer, end: number = bytes.length): number {
  const words = new DataView(bytes.buffer, bytes.byteOffset);
  let hash = 0x68656564 ^ end;
  let at = 0;
  for (; at + 4 <= end; at += 4) {
    hash = Math.imul(hash ^ words.getInt32(at, true), MULTIPLIER);
    hash ^= hash >>> 15;
  }
  let tail = 0;
  for (let shift = 0; at < end; at++, shift += 8) tail |= (bytes[at] as number) << shift;
  hash = Math.imul(hash ^ tail, MULTIPLIER);
  hash ^= hash >>> 13;
  return Math.imul(hash, MULTIPLIER) >>> 0;
}

/** An index cannot be read: the façade repeats the call over one built from the files (see withSoundIndex). */
export class IndexDamage extends Error {
  override readonly name: string = "IndexDamage";
}

/** Reads; calls `whenDamaged` before damage is thrown, always as IndexDamage. Other errors pass. */
export function reading<T>(read: () => T, whenDamaged: () => void): T {
  try {
    return read();
  } catch (error) {
    if (!isIndexDamage(error)) throw error;
    whenDamaged();
    throw error instanceof IndexDamage ? error : new IndexDamage("an index cannot be read", { cause: error });
  }
}

/** The result of a read for whoever builds the index, or undefined when there is nothing sound to build on. */
export function unlessDamaged<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isIndexDamage(error)) return undefined;
    throw error;
  }
}

/** Whether an error means that the index cannot be read: wrong bytes, a file system that refuses, a folder in its place. */
export function isIndexDamage(error: unknown): boolean {
  if (error instanceof IndexDamage) return true;
  return error instanceof Error && ("syscall" in error || ("code" in error && error.code === "io-failed"));
}
