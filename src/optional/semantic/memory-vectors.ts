import type { MeantCollection, MeantSearch } from "../../app/place/optional-parts.ts";
import { documentKeyOf } from "../../index/document/index-document.ts";
import type { MemoryMetadata, StoreRef } from "../../memory/memory.ts";
import type { Encoder } from "./worker-encoder.ts";
import { MEMORY_TOKENS, memoryText } from "./memory-text.ts";
import { readVectorFile, writeVectorFile, VectorTable } from "./vector-table.ts";

/** Vectors are written after so long, so that a process that ends takes little with it. */
const PUBLISH_EVERY_MS = 30_000;
/** More memories than this of one store get no vectors: the native engine takes half an hour for so many. */
const MAX_MEMORIES = 50_000;

/** The vectors of one store. */
interface StoreVectors {
  /** Where they are kept between processes. */
  file: string;
  table: VectorTable;
  /** Document key by content hash, of the memories that are there now. */
  documentKeys: Map<string, string>;
}

/** What gives memories their vectors. */
export interface MemoryVectorParts {
  encoder: Encoder;
  fileOf(store: StoreRef): string;
  note(trouble: unknown): void;
}

/** The vectors of memories. Missing ones are made in the background, with rests as long as the work. */
export class MemoryVectors {
  readonly #parts: MemoryVectorParts;
  readonly #stores = new Map<string, StoreVectors>();
  #followed: MeantCollection | undefined;
  #work: Promise<void> | undefined;

  constructor(parts: MemoryVectorParts) {
    this.#parts = parts;
  }

  /** Works for this collection from now on. Costs nothing while it is the same. */
  follow(collection: MeantCollection): void {
    const known = this.#followed?.readers;
    const isSame =
      known?.length === collection.readers.length &&
      known.every((reader, i) => reader === collection.readers[i]);
    if (isSame) return;
    this.#followed = collection;
    this.#work ??= this.#run();
  }

  /** Resolves when all there is to do is done. */
  async whenDone(): Promise<void> {
    while (this.#work) await this.#work;
  }

  stop(): void {
    this.#followed = undefined;
  }

  /** Cosine, -1 to 1; undefined for a memory that has no vector (yet). */
  nearnessOf(metadata: MemoryMetadata, query: Int8Array, { stores }: MeantCollection): number | undefined {
    const store = stores.find(({ id }) => id === metadata.storeId);
    return store && this.#of(store).table.cosineOf(metadata.contentHash, query);
  }

  /** The admitted memories that are at least so near to a query, nearest first. */
  *nearest(
    query: Int8Array,
    atLeast: number,
    { collection, admits }: Pick<MeantSearch, "collection" | "admits">,
  ): Generator<MemoryMetadata> {
    const near = collection.stores
      .flatMap((store, place) => {
        const { table, documentKeys } = this.#of(store);
        return table.nearTo(query, atLeast).map((found) => ({ ...found, place, documentKeys }));
      })
      .sort((a, b) => b.cosine - a.cosine);
    for (const { key, place, documentKeys } of near) {
      const document = documentKeys.get(key);
      const metadata = document === undefined ? undefined : collection.readers[place]?.metadata(document);
      // A memory that changed since has another vector, or none yet.
      if (metadata && metadata.contentHash === key && admits(metadata)) yield metadata;
    }
  }

  async #run(): Promise<void> {
    try {
      // The search that brought the collection is answered first.
      await new Promise((resolve) => setImmediate(resolve));
      let done: MeantCollection | undefined;
      while (this.#followed !== undefined && this.#followed !== done) {
        done = this.#followed;
        for (const place of done.stores.keys()) await this.#bringUpToDate(done, place);
      }
    } catch (error) {
      this.#parts.note(error);
      this.#followed = undefined;
    } finally {
      this.#work = undefined;
    }
  }

  async #bringUpToDate(collection: MeantCollection, place: number): Promise<void> {
    const memories = collection.readers[place]?.memories() ?? [];
    const vectors = this.#of(collection.stores[place] as StoreRef);
    vectors.documentKeys = new Map(
      memories.map((metadata) => [metadata.contentHash, documentKeyOf(metadata)]),
    );
    const missing = memories
      .filter((metadata) => !vectors.table.has(metadata.contentHash))
      .slice(0, MAX_MEMORIES);
    let publishedAt = performance.now();
    let isDirty = false;
    for (const metadata of missing) {
      if (this.#followed !== collection) break;
      const found = await collection.read(metadata);
      if (!found || found.metadata.contentHash !== metadata.contentHash) continue;
      const startedAt = performance.now();
      const text = memoryText(metadata, found.body);
      vectors.table.add(metadata.contentHash, await this.#parts.encoder.encode(text, MEMORY_TOKENS));
      isDirty = true;
      await new Promise((resolve) => setTimeout(resolve, performance.now() - startedAt).unref());
      if (performance.now() - publishedAt < PUBLISH_EVERY_MS) continue;
      this.#publish(vectors);
      publishedAt = performance.now();
      isDirty = false;
    }
    if (isDirty) this.#publish(vectors);
  }

  #of(store: StoreRef): StoreVectors {
    const file = this.#parts.fileOf(store);
    const known = this.#stores.get(file);
    if (known) return known;
    const { model, dimensions } = this.#parts.encoder;
    const read = readVectorFile(file, model);
    const table = read?.dimensions === dimensions ? read : new VectorTable(dimensions);
    const vectors: StoreVectors = { file, table, documentKeys: new Map() };
    this.#stores.set(file, vectors);
    return vectors;
  }

  /** Writes the vectors of a store, with those that another process wrote in the meantime. */
  #publish({ file, table, documentKeys }: StoreVectors): void {
    const { model } = this.#parts.encoder;
    const written = readVectorFile(file, model);
    for (const key of written?.keys() ?? []) {
      const vector = documentKeys.has(key) ? written?.vectorOf(key) : undefined;
      if (vector) table.add(key, vector);
    }
    writeVectorFile(file, model, table, (key) => documentKeys.has(key));
  }
}
