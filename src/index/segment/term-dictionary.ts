import { ByteReader } from "./byte-reader.ts";
import { IndexDamage } from "./index-damage.ts";
import { SPARSE_ENTRY_BYTES } from "./segment-format.ts";
import { storedLength } from "./segment-writer.ts";

/** A term of a segment, and where its lists are inside their sections. */
export interface TermEntry {
  term: string;
  /** Number of documents, removed ones included; 0 for surface forms. */
  count: number;
  postingsAt: number;
  postingsLength: number;
  positionsAt: number;
  positionsLength: number;
}

/** What the dictionary asks of its segment: bytes of the dictionary section whose checksum has been tested. */
export interface DictionaryBytes {
  sparse: Buffer;
  length: number;
  /** The payload of the block that takes `[start, end)` of the section, checksum included in that range. */
  block(start: number, end: number): Buffer;
}

/** The sorted terms of one segment, searched in place: a lookup reads one block of 64 terms. */
export class TermDictionary {
  readonly #bytes: DictionaryBytes;
  readonly #blocks: number;

  constructor(bytes: DictionaryBytes) {
    this.#bytes = bytes;
    this.#blocks = blockCountOf(bytes.sparse);
  }

  #sparse(block: number, column: number): number {
    return this.#bytes.sparse.readUInt32LE(block * SPARSE_ENTRY_BYTES + column * 4);
  }

  #firstTerm(block: number): string {
    return new ByteReader(
      this.#bytes.sparse,
      this.#blocks * SPARSE_ENTRY_BYTES + this.#sparse(block, 3),
    ).string();
  }

  /** The last block whose first term is not after `term`; -1 when all are. */
  #blockOf(term: string): number {
    let low = 0;
    let high = this.#blocks - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      if (this.#firstTerm(middle) <= term) low = middle + 1;
      else high = middle - 1;
    }
    return high;
  }

  *#entriesOf(block: number): Generator<TermEntry> {
    const end = block + 1 < this.#blocks ? this.#sparse(block + 1, 0) : this.#bytes.length;
    const reader = new ByteReader(this.#bytes.block(this.#sparse(block, 0), end));
    let postingsAt = this.#sparse(block, 1);
    let positionsAt = this.#sparse(block, 2);
    let previous = "";
    while (reader.at < reader.end) {
      const shared = reader.varint();
      const term = previous.slice(0, shared) + reader.string();
      const count = reader.varint();
      const postingsLength = reader.varint();
      const positionsLength = reader.varint();
      yield { term, count, postingsAt, postingsLength, positionsAt, positionsLength };
      postingsAt += storedLength(postingsLength);
      positionsAt += storedLength(positionsLength);
      previous = term;
    }
  }

  find(term: string): TermEntry | undefined {
    const block = this.#blockOf(term);
    if (block < 0) return undefined;
    for (const entry of this.#entriesOf(block)) {
      if (entry.term === term) return entry;
      if (entry.term > term) return undefined;
    }
    return undefined;
  }

  /** Terms that start with `prefix`, in order. */
  *withPrefix(prefix: string): Generator<TermEntry> {
    for (let block = Math.max(0, this.#blockOf(prefix)); block < this.#blocks; block++) {
      for (const entry of this.#entriesOf(block)) {
        if (entry.term < prefix) continue;
        if (!entry.term.startsWith(prefix)) return;
        yield entry;
      }
    }
  }
}

function blockCountOf(sparse: Buffer): number {
  if (sparse.length < 4) throw new IndexDamage("sparse table too short");
  const blocks = sparse.readUInt32LE(sparse.length - 4);
  if (blocks * SPARSE_ENTRY_BYTES + 4 > sparse.length) throw new IndexDamage("sparse table too short");
  return blocks;
}
