/** A memory near to a query. */
export interface NearVector {
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
    this.#norms[row] = normOf(vector);
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
    return row === undefined ? undefined : this.#cosineOf(row, query, normOf(query));
  }

  /** The memories that are at least so near to a query, in no order. */
  nearTo(query: Int8Array, atLeast: number): NearVector[] {
    const norm = normOf(query);
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

function normOf(vector: Int8Array): number {
  return Math.sqrt(dot(vector, 0, vector));
}

/** Inner product of `query` with the bytes from `at` on. */
function dot(bytes: Int8Array, at: number, query: Int8Array): number {
  let sum = 0;
  for (let i = 0; i < query.length; i++) sum = (sum + (bytes[at + i] as number) * (query[i] as number)) | 0;
  return sum;
}
