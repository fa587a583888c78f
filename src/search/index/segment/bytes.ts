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

  skip(length: number): void {
    this.#advance(length);
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

  byte(value: number): void {
    this.#reserve(1)[this.length++] = value;
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

  text(value: string): void {
    const bytes = this.#reserve(value.length * 3);
    this.length += bytes.write(value, this.length, "utf8");
  }

  /** Length in bytes as varint, then UTF-8. */
  string(value: string): void {
    this.varint(Buffer.byteLength(value));
    this.text(value);
  }

  bytes(source: Uint8Array, start = 0, end: number = source.length): void {
    this.#reserve(end - start).set(source.subarray(start, end), this.length);
    this.length += end - start;
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
export function checksumOf(bytes: Uint8Array, start = 0, end: number = bytes.length): number {
  const length = Math.max(0, end - start);
  const words = length >>> 2;
  const from = bytes.byteOffset + start;
  let hash = 0x68656564 ^ length;
  if (from % 4 === 0) {
    const view = new Uint32Array(bytes.buffer, from, words);
    for (let i = 0; i < words; i++) {
      hash = Math.imul(hash ^ (view[i] as number), MULTIPLIER);
      hash ^= hash >>> 15;
    }
  } else {
    for (let i = 0, at = start; i < words; i++, at += 4) {
      hash = Math.imul(hash ^ wordAt(bytes, at), MULTIPLIER);
      hash ^= hash >>> 15;
    }
  }
  let tail = 0;
  for (let at = start + words * 4, shift = 0; at < end; at++, shift += 8)
    tail |= (bytes[at] as number) << shift;
  hash = Math.imul(hash ^ tail, MULTIPLIER);
  hash ^= hash >>> 13;
  return Math.imul(hash, MULTIPLIER) >>> 0;
}

/** Four bytes as a little-endian word, as the typed array reads them on every machine that Node runs on. */
function wordAt(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] as number) |
    ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) |
    ((bytes[at + 3] as number) << 24)
  );
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
