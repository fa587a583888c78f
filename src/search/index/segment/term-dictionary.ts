import { ByteReader, IndexDamage } from "./bytes.ts";
import { CHECKSUM_BYTES, SPARSE_ENTRY_BYTES } from "./segment-format.ts";

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
interface DictionaryBytes {
  sparse: Buffer;
  length: number;
  /** The payload of the block that takes `[start, end)` of the section, checksum included in that range. */
  block(start: number, end: number): Buffer;
}

/** The sorted terms of one segment, searched in place: a lookup reads one block of 16 terms. */
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

  /** The last block whose first term is not after `term`; -1 when all are. */
  #blockOf(term: Buffer): number {
    const { sparse } = this.#bytes;
    const texts = new ByteReader(sparse);
    let low = 0;
    let high = this.#blocks - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      texts.at = this.#blocks * SPARSE_ENTRY_BYTES + this.#sparse(middle, 3);
      const text = texts.slice(texts.varint());
      if (Buffer.compare(text, term) <= 0) low = middle + 1;
      else high = middle - 1;
    }
    return high;
  }

  #payloadOf(block: number): Buffer {
    const end = block + 1 < this.#blocks ? this.#sparse(block + 1, 0) : this.#bytes.length;
    const start = this.#sparse(block, 0);
    if (end <= start) throw new IndexDamage("the sparse table is damaged");
    return this.#bytes.block(start, end);
  }

  #firstTermOf(block: number): Buffer {
    const reader = new ByteReader(this.#payloadOf(block));
    if (reader.varint() !== 0) throw new IndexDamage("a block must begin with a whole term");
    return reader.slice(reader.varint());
  }

  /** The sparse table has no checksum: before a term is said to be absent, the checked blocks around it must agree. */
  #confirmPlace(term: Buffer, block: number): void {
    const isAfterFirst = block < 0 || Buffer.compare(this.#firstTermOf(block), term) <= 0;
    const isBeforeNext = block + 1 >= this.#blocks || Buffer.compare(this.#firstTermOf(block + 1), term) > 0;
    if (!isAfterFirst || !isBeforeNext) throw new IndexDamage("the sparse table is damaged");
  }

  *#entriesOf(block: number): Generator<TermEntry> {
    const reader = new ByteReader(this.#payloadOf(block));
    let postingsAt = this.#sparse(block, 1);
    let positionsAt = this.#sparse(block, 2);
    let previous: Buffer = Buffer.alloc(0);
    while (reader.at < reader.end) {
      const shared = reader.varint();
      const bytes = Buffer.concat([previous.subarray(0, shared), reader.slice(reader.varint())]);
      const count = reader.varint();
      const postingsLength = reader.varint();
      const positionsLength = reader.varint();
      yield { term: bytes.toString(), count, postingsAt, postingsLength, positionsAt, positionsLength };
      postingsAt += storedLength(postingsLength);
      positionsAt += storedLength(positionsLength);
      previous = bytes;
    }
  }

  /** Looks a term up without making strings of its neighbours: only the bytes it shares with them are followed. */
  find(term: string): TermEntry | undefined {
    const wanted = Buffer.from(term);
    const block = this.#blockOf(wanted);
    if (block < 0) {
      this.#confirmPlace(wanted, block);
      return undefined;
    }
    const reader = new ByteReader(this.#payloadOf(block));
    let postingsAt = this.#sparse(block, 1);
    let positionsAt = this.#sparse(block, 2);
    let matched = 0;
    while (reader.at < reader.end) {
      const shared = reader.varint();
      const length = reader.varint();
      const suffixAt = reader.at - shared;
      reader.skip(length);
      const end = Math.min(shared + length, wanted.length);
      // A term that shares more than what matched differs from the wanted one where the one before it did.
      if (shared <= matched) {
        matched = shared;
        while (matched < end && reader.bytes[suffixAt + matched] === wanted[matched]) matched++;
      }
      const count = reader.varint();
      const postingsLength = reader.varint();
      const positionsLength = reader.varint();
      if (matched === wanted.length && shared + length === matched) {
        return { term, count, postingsAt, postingsLength, positionsAt, positionsLength };
      }
      postingsAt += storedLength(postingsLength);
      positionsAt += storedLength(positionsLength);
    }
    this.#confirmPlace(wanted, block);
    return undefined;
  }

  *withPrefix(prefix: string): Generator<TermEntry> {
    const wanted = Buffer.from(prefix);
    const place = this.#blockOf(wanted);
    this.#confirmPlace(wanted, place);
    let previousEnd: number | undefined;
    for (let block = Math.max(0, place); block < this.#blocks; block++) {
      // Blocks follow each other without a gap; a damaged table could skip one.
      const start = this.#sparse(block, 0);
      if (previousEnd !== undefined && start !== previousEnd)
        throw new IndexDamage("the sparse table is damaged");
      previousEnd = block + 1 < this.#blocks ? this.#sparse(block + 1, 0) : this.#bytes.length;
      for (const entry of this.#entriesOf(block)) {
        if (entry.term.startsWith(prefix)) yield entry;
        else if (compareTerms(entry.term, prefix) > 0) return;
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

const SURROGATE = /[\ud800-\udfff]/;

/** Orders terms by their UTF-8 bytes; strings compare otherwise beyond U+FFFF. */
export function compareTerms(left: string, right: string): number {
  if (left === right) return 0;
  if (SURROGATE.test(left) || SURROGATE.test(right))
    return Buffer.compare(Buffer.from(left), Buffer.from(right));
  return left < right ? -1 : 1;
}

const storedLength = (length: number): number => (length === 0 ? 0 : length + CHECKSUM_BYTES);
