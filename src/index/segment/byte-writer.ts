/** A growing buffer: little-endian numbers, LEB128 varints and UTF-8 strings. */
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

  /** An unsigned integer below 2^53. */
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

  /** UTF-8 without a length. */
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

  /** Bytes of another writer; most pieces are a few bytes long, where a loop beats a view. */
  copy(source: ByteWriter, start: number, end: number): void {
    const target = this.#reserve(end - start);
    const from = source.#bytes;
    if (end - start > 64) from.copy(target, this.length, start, end);
    else for (let at = start, to = this.length; at < end; at++, to++) target[to] = from[at] as number;
    this.length += end - start;
  }

  /** What was written so far; valid until the next write. */
  view(): Buffer {
    return this.#bytes.subarray(0, this.length);
  }

  clear(): void {
    this.length = 0;
  }
}
