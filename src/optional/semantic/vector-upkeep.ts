import { documentKeyOf } from "../../index/document/index-document.ts";
import { readVectorFile, writeVectorFile } from "./vector-file.ts";
import type { Injection } from "../../memory/memory-type.ts";
import type { MemoryCard } from "../../memory/memory-card.ts";
import type { Encoder } from "./encoder.ts";
import { MEMORY_TOKENS, memoryText } from "./memory-text.ts";
import type { EncodedCollection } from "../../app/place/semantic-source.ts";
import type { StoreVectors } from "./store-vectors.ts";

/** Vectors are written after so long, so that a process that ends takes little with it. */
const PUBLISH_EVERY_MS = 30_000;
/** More memories than this of one store get no vectors: the native engine takes half an hour for so many. */
const MAX_MEMORIES = 50_000;

const ON_PROMPT: ReadonlySet<Injection> = new Set<Injection>(["personal", "related", "mentioned", "symptom"]);

interface Target {
  collection: EncodedCollection;
  stores: readonly StoreVectors[];
  encoder: Encoder;
}

/**
 * Gives memories their vectors in the background: one at a time, resting as long as it worked, and never while a
 * prompt waits for its own.
 */
export class VectorUpkeep {
  readonly #note: (trouble: unknown) => void;
  #target: Target | undefined;
  #work: Promise<void> | undefined;
  #urgent: Promise<unknown> = Promise.resolve();

  constructor(note: (trouble: unknown) => void) {
    this.#note = note;
  }

  /** Work for this collection from now on. Costs nothing while it is the same. */
  follow(collection: EncodedCollection, stores: readonly StoreVectors[], encoder: Encoder): void {
    const known = this.#target?.collection.readers;
    const isSame =
      this.#target?.encoder === encoder &&
      known?.length === collection.readers.length &&
      known.every((reader, i) => reader === collection.readers[i]);
    if (isSame) return;
    this.#target = { collection, stores, encoder };
    this.#work ??= this.#run().finally(() => {
      this.#work = undefined;
    });
  }

  /** What a prompt waits for goes before everything here. */
  first<T>(asked: Promise<T>): Promise<T> {
    this.#urgent = Promise.allSettled([this.#urgent, asked]);
    return asked;
  }

  /** Resolves when all there is to do is done. */
  async settled(): Promise<void> {
    while (this.#work) await this.#work;
  }

  stop(): void {
    this.#target = undefined;
  }

  async #run(): Promise<void> {
    // The prompt that brought the collection is answered first.
    await new Promise((resolve) => setImmediate(resolve));
    for (let target = this.#target; target;) {
      for (const store of target.stores) {
        try {
          await this.#bringUpToDate(store, target);
        } catch (error) {
          this.#note(error);
          this.#target = undefined;
          return;
        }
      }
      if (this.#target === target) return;
      target = this.#target;
    }
  }

  async #bringUpToDate(store: StoreVectors, target: Target): Promise<void> {
    const { collection, encoder } = target;
    const cards = factsOf(store, collection);
    store.cardKeys = new Map(cards.map((card) => [card.contentHash, documentKeyOf(card)]));
    const missing = cards.filter((card) => !store.table.has(card.contentHash)).slice(0, MAX_MEMORIES);
    let publishedAt = performance.now();
    let isDirty = false;
    for (const card of missing) {
      if (this.#target !== target) break;
      const found = await collection.read(card);
      if (!found || found.card.contentHash !== card.contentHash) continue;
      await this.#urgent;
      const startedAt = performance.now();
      const vector = await encoder.encode(memoryText(card, found.body), MEMORY_TOKENS);
      store.table.add(card.contentHash, vector);
      isDirty = true;
      await new Promise((resolve) => setTimeout(resolve, performance.now() - startedAt).unref());
      if (performance.now() - publishedAt < PUBLISH_EVERY_MS) continue;
      publish(store, encoder);
      publishedAt = performance.now();
      isDirty = false;
    }
    if (isDirty) publish(store, encoder);
  }
}

/** The memories of a store that a prompt may bring. */
function factsOf(store: StoreVectors, { readers, types }: EncodedCollection): MemoryCard[] {
  const names = types
    .all()
    .filter(({ injection }) => ON_PROMPT.has(injection))
    .map(({ name }) => name);
  return readers[store.place]?.cards({ types: names }) ?? [];
}

/** Writes the vectors of a store, with those that another process wrote in the meantime. */
function publish({ file, table, cardKeys }: StoreVectors, encoder: Encoder): void {
  const written = readVectorFile(file, encoder.model);
  for (const key of written?.keys() ?? []) {
    const vector = cardKeys.has(key) ? written?.vectorOf(key) : undefined;
    if (vector) table.add(key, vector);
  }
  writeVectorFile(file, encoder.model, table, (key) => cardKeys.has(key));
}
