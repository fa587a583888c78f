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

  text(length: number): string {
    const from = this.#advance(length);
    return this.bytes.toString("utf8", from, this.at);
  }

  string(): string {
    return this.text(this.varint());
  }
}
