import { IndexDamage } from "./index-damage.ts";

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

  /** The next bytes, not copied. */
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
