import { ByteReader } from "./bytes.ts";
import { CHECKSUM_BYTES, SPARSE_ENTRY_BYTES } from "./segment-format.ts";

export interface TermEntry {
  /** In UTF-8. */
  term: Buffer;
  /** Number of documents, removed ones included; 0 for surface forms. */
  count: number;
  postingsAt: number;
  postingsLength: number;
}

/** The sorted terms of one segment, searched in place: a lookup reads one block of 16 terms. */
export class TermDictionary {
  readonly #sparse: Buffer;
  readonly #length: number;
  readonly #blocks: number;
  readonly #bytesOf: (start: number, end: number) => Buffer;

  /** @param length - Of the whole section. @param bytesOf - Of the block that takes `[start, end)` of it, what its checksum is of. */
  constructor(sparse: Buffer, length: number, bytesOf: (start: number, end: number) => Buffer) {
    this.#sparse = sparse;
    this.#length = length;
    this.#blocks = sparse.readUInt32LE(sparse.length - 4);
    this.#bytesOf = bytesOf;
  }

  #startOf(block: number, column: 0 | 1 | 2): number {
    return this.#sparse.readUInt32LE(block * SPARSE_ENTRY_BYTES + column * 4);
  }

  /** The last block whose first term is not after `term`; the first when all are. */
  #blockOf(term: Buffer): number {
    const texts = new ByteReader(this.#sparse);
    let low = 1;
    let high = this.#blocks - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      texts.at = this.#blocks * SPARSE_ENTRY_BYTES + this.#startOf(middle, 2);
      if (texts.slice(texts.varint()).compare(term) <= 0) low = middle + 1;
      else high = middle - 1;
    }
    return low - 1;
  }

  /** The terms from the block on that may hold `term`. */
  *#entriesFrom(term: Buffer): Generator<TermEntry> {
    for (let block = this.#blockOf(term); block < this.#blocks; block++) {
      const end = block + 1 < this.#blocks ? this.#startOf(block + 1, 0) : this.#length;
      const reader = new ByteReader(this.#bytesOf(this.#startOf(block, 0), end));
      let postingsAt = this.#startOf(block, 1);
      let previous: Buffer = Buffer.alloc(0);
      while (reader.at < reader.end) {
        const shared = reader.varint();
        const rest = reader.slice(reader.varint());
        const term = Buffer.allocUnsafe(shared + rest.length);
        term.set(previous.subarray(0, shared));
        term.set(rest, shared);
        previous = term;
        const count = reader.varint();
        const postingsLength = reader.varint();
        yield { term, count, postingsAt, postingsLength };
        if (postingsLength > 0) postingsAt += postingsLength + CHECKSUM_BYTES;
      }
    }
  }

  find(term: string): TermEntry | undefined {
    const wanted = Buffer.from(term);
    for (const entry of this.#entriesFrom(wanted)) {
      const order = entry.term.compare(wanted);
      if (order >= 0) return order === 0 ? entry : undefined;
    }
    return undefined;
  }

  *withPrefix(prefix: string): Generator<TermEntry> {
    const wanted = Buffer.from(prefix);
    for (const entry of this.#entriesFrom(wanted)) {
      const order = entry.term.subarray(0, wanted.length).compare(wanted);
      if (order > 0) return;
      if (order === 0) yield entry;
    }
  }
}
