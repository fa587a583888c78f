import { checksumOf } from "../../index/segment/bytes.ts";
import { writeFileAtomic } from "../../platform/atomic-file.ts";
import { readRegularBytes } from "../../platform/regular-file.ts";

/** A memory near to a query. */
interface NearVector {
  /** The memory's content hash. */
  key: string;
  /** Cosine of the angle between the two, -1 to 1. */
  cosine: number;
}

const FIRST_ROWS = 64;

/** Vectors of memories by content hash, in one block of bytes; searched by looking at each. */
export class VectorTable {
  readonly dimensions: number;
  #bytes: Int8Array;
  /** Lengths of the vectors. */
  #norms: Float32Array;
  readonly #rows = new Map<string, number>();

  constructor(dimensions: number) {
    this.dimensions = dimensions;
    this.#bytes = new Int8Array(FIRST_ROWS * dimensions);
    this.#norms = new Float32Array(FIRST_ROWS);
  }

  get size(): number {
    return this.#rows.size;
  }

  has(key: string): boolean {
    return this.#rows.has(key);
  }

  keys(): IterableIterator<string> {
    return this.#rows.keys();
  }

  /** Adds a memory's vector; one that is there stays, since the same content has the same vector. */
  add(key: string, vector: Int8Array): void {
    if (this.#rows.has(key)) return;
    if (vector.length !== this.dimensions)
      throw new RangeError(`a vector of ${vector.length} components, not of ${this.dimensions}`);
    const row = this.#rows.size;
    this.#reserve(row + 1);
    this.#rows.set(key, row);
    this.#bytes.set(vector, row * this.dimensions);
    this.#norms[row] = invariantOf(vector);
  }

  vectorOf(key: string): Int8Array | undefined {
    const row = this.#rows.get(key);
    return row === undefined
      ? undefined
      : this.#bytes.subarray(row * this.dimensions, (row + 1) * this.dimensions);
  }

  /** How near one memory is to a query; undefined when it has no vector (yet). */
  cosineOf(key: string, query: Int8Array): number | undefined {
    const row = this.#rows.get(key);
    return row === undefined ? undefined : this.#cosineOf(row, query, invariantOf(query));
  }

  /** The memories that are at least so near to a query, in no order. */
  nearTo(query: Int8Array, atLeast: number): NearVector[] {
    const norm = invariantOf(query);
    return [...this.#rows]
      .map(([key, row]) => ({ key, cosine: this.#cosineOf(row, query, norm) }))
      .filter(({ cosine }) => cosine >= atLeast);
  }

  #cosineOf(row: number, query: Int8Array, queryNorm: number): number {
    const norm = (this.#norms[row] as number) * queryNorm;
    return norm === 0 ? 0 : dot(this.#bytes, row * this.dimensions, query) / norm;
  }

  #reserve(rows: number): void {
    if (rows <= this.#norms.length) return;
    const norms = new Float32Array(this.#norms.length * 2);
    norms.set(this.#norms);
    this.#norms = norms;
    const bytes = new Int8Array(this.#bytes.length * 2);
    bytes.set(this.#bytes);
    this.#bytes = bytes;
  }
}

function invariantOf(vector: Int8Array): number {
  return Math.sqrt(dot(vector, 0, vector));
}

/** Inner product of `query` with the bytes from `at` on. */
function dot(bytes: Int8Array, at: number, query: Int8Array): number {
  let sum = 0;
  for (let i = 0; i < query.length; i++) sum = (sum + (bytes[at + i] as number) * (query[i] as number)) | 0;
  return sum;
}

/**
 * Little-endian: 8 bytes `HEEDVEC1`, 16 bytes model, u32 dimensions, u32 rows, u32 checksum of the rest; for
 * each row 8 bytes content hash and one byte a component.
 */
const MAGIC = "HEEDVEC1";
const HEADER_BYTES = 36;
const KEY_BYTES = 8;
/** 200,000 memories with 384 dimensions take 78 MB; anything larger is not ours. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;
const MAX_DIMENSIONS = 4096;

/** Reads the vectors of a model, or of any. Undefined for a missing or damaged file or another model. */
export function readVectorFile(file: string, model?: string): VectorTable | undefined {
  let bytes: Buffer;
  try {
    bytes = readRegularBytes(file, { maxBytes: MAX_FILE_BYTES });
  } catch {
    return undefined;
  }
  if (bytes.length < HEADER_BYTES || bytes.toString("latin1", 0, 8) !== MAGIC) return undefined;
  if (model !== undefined && bytes.toString("latin1", 8, 24) !== modelField(model)) return undefined;
  const dimensions = bytes.readUInt32LE(24);
  const rows = bytes.readUInt32LE(28);
  const width = KEY_BYTES + dimensions;
  if (dimensions === 0 || dimensions > MAX_DIMENSIONS || bytes.length !== HEADER_BYTES + rows * width)
    return undefined;
  if (checksumOf(bytes, HEADER_BYTES) !== bytes.readUInt32LE(32)) return undefined;
  const table = new VectorTable(dimensions);
  for (let row = 0; row < rows; row++) {
    const at = HEADER_BYTES + row * width;
    const start = at + KEY_BYTES;
    table.add(
      bytes.toString("hex", at, start),
      new Int8Array(bytes.buffer, bytes.byteOffset + start, dimensions),
    );
  }
  return table;
}

/**
 * Writes the vectors in one step; only those whose content hash is wanted.
 *
 * @throws HeedError `io-failed`.
 */
export function writeVectorFile(
  file: string,
  model: string,
  table: VectorTable,
  isWanted: (key: string) => boolean,
): void {
  const keys = [...table.keys()].filter(isWanted);
  const width = KEY_BYTES + table.dimensions;
  const bytes = Buffer.alloc(HEADER_BYTES + keys.length * width);
  bytes.write(MAGIC + modelField(model), 0, "latin1");
  bytes.writeUInt32LE(table.dimensions, 24);
  bytes.writeUInt32LE(keys.length, 28);
  for (const [row, key] of keys.entries()) {
    const at = HEADER_BYTES + row * width;
    bytes.write(key, at, "hex");
    bytes.set(table.vectorOf(key) ?? [], at + KEY_BYTES);
  }
  bytes.writeUInt32LE(checksumOf(bytes, HEADER_BYTES), 32);
  writeFileAtomic(file, bytes, { mode: 0o600, isDurable: false });
}

function modelField(model: string): string {
  return model.slice(0, 16).padEnd(16);
}
