import type { MemoryCard } from "../../memory/memory-card.ts";
import type { Encoder } from "./encoder.ts";
import { PROMPT_TOKENS } from "./memory-text.ts";
import type {
  AskedMeaning,
  EncodedCollection,
  PromptMeaning,
  SemanticSource,
} from "../../app/place/semantic-source.ts";
import type { StoreVectors } from "./store-vectors.ts";
import { VectorUpkeep } from "./vector-upkeep.ts";

/**
 * A prompt waits for its vector so long at most, in milliseconds from when it was asked. The native engine takes 9 and
 * WebAssembly 72 for 64 tokens; what comes later is left out of this prompt's answer.
 */
const WAIT_MS = 150;
/** Vectors of the last texts are kept: `why` asks for what was prompted. */
const KEPT_QUERIES = 16;
/** After so long without a prompt the model is given back, with the 150 to 380 MB that it takes. */
const IDLE_MS = 30 * 60_000;

/** Of those near to a prompt many may belong to another repository: so many times more are looked at. */
const OUT_OF_SCOPE = 5;

/** What a semantic source needs from outside. */
export interface SemanticParts {
  /** Loads the model; called again after an idle time. */
  load(): Promise<Encoder>;
  /** The vectors of the stores of a collection. */
  vectorsOf(collection: EncodedCollection, encoder: Encoder): StoreVectors[];
  note(trouble: unknown): void;
  /** See WAIT_MS; a bench waits longer. */
  waitMs?: number;
}

/** Meaning by a sentence model: loaded when first asked for, in the background, and again when memories came. */
export class SemanticRecall implements SemanticSource {
  readonly #parts: SemanticParts;
  readonly #upkeep: VectorUpkeep;
  readonly #queries = new Map<string, Int8Array>();
  #encoder: Encoder | undefined;
  #loading: Promise<void> | undefined;
  /** A model that does not load is not tried again: the reason is in the log. */
  #isBroken = false;
  #idle: NodeJS.Timeout | undefined;

  constructor(parts: SemanticParts) {
    this.#parts = parts;
    this.#upkeep = new VectorUpkeep((trouble) => parts.note(trouble));
  }

  ask(text: string, deadlineAtMs: number): AskedMeaning {
    this.#stayAwake();
    const encoder = this.#encoder;
    if (encoder === undefined) {
      void this.load();
      return () => Promise.resolve(undefined);
    }
    const asked = this.#encode(text, encoder, deadlineAtMs);
    return async (collection) => {
      const stores = this.#parts.vectorsOf(collection, encoder);
      this.#upkeep.follow(collection, stores, encoder);
      const query = await asked;
      return query && meaningOf(query, collection, stores);
    };
  }

  /** Loads the model, once; resolves when it is there or known not to come. */
  load(): Promise<void> {
    if (this.#isBroken || this.#encoder) return Promise.resolve();
    this.#loading ??= this.#load();
    return this.#loading;
  }

  async #load(): Promise<void> {
    try {
      this.#encoder = await this.#parts.load();
    } catch (error) {
      this.#isBroken = true;
      this.#parts.note(error);
    } finally {
      this.#loading = undefined;
    }
  }

  /** Resolves when every memory of the collection has its vectors. */
  async settle(collection: EncodedCollection): Promise<void> {
    await this.load();
    if (!this.#encoder) return;
    this.#upkeep.follow(collection, this.#parts.vectorsOf(collection, this.#encoder), this.#encoder);
    await this.#upkeep.settled();
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#loading;
    this.#upkeep.stop();
    const encoder = this.#encoder;
    this.#encoder = undefined;
    await encoder?.close();
  }

  async #encode(text: string, encoder: Encoder, deadlineAtMs: number): Promise<Int8Array | undefined> {
    const known = this.#queries.get(text);
    if (known) return known;
    const waitMs = Math.min(this.#parts.waitMs ?? WAIT_MS, deadlineAtMs - performance.now());
    if (waitMs <= 0) return undefined;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, waitMs, undefined);
    });
    const encoded = this.#upkeep.first(encoder.encode(text, PROMPT_TOKENS)).then(
      (vector) => {
        this.#queries.set(text, vector);
        for (const oldest of this.#queries.keys()) {
          if (this.#queries.size <= KEPT_QUERIES) break;
          this.#queries.delete(oldest);
        }
        return vector;
      },
      (error: unknown) => {
        this.#fail(encoder, error);
        return undefined;
      },
    );
    try {
      return await Promise.race([encoded, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  #fail(encoder: Encoder, error: unknown): void {
    if (this.#encoder !== encoder) return;
    this.#isBroken = true;
    this.#encoder = undefined;
    this.#upkeep.stop();
    this.#parts.note(error);
  }

  #stayAwake(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      this.close().catch((error: unknown) => this.#parts.note(error));
    }, IDLE_MS).unref();
  }
}

function meaningOf(
  query: Int8Array,
  collection: EncodedCollection,
  stores: readonly StoreVectors[],
): PromptMeaning {
  const byStore = new Map(stores.map((store) => [store.storeId, store]));
  return {
    nearnessOf(card) {
      return byStore.get(card.storeId)?.table.cosineOf(card.contentHash, query);
    },
    nearest(limit, admits) {
      const best = stores
        .flatMap((store) =>
          store.table.nearest(query, limit * OUT_OF_SCOPE).map((found) => ({ store, found })),
        )
        .sort((a, b) => b.found.cosine - a.found.cosine);
      const cards = best.flatMap(({ store, found }): MemoryCard[] => {
        const key = store.cardKeys.get(found.key);
        const card = key === undefined ? undefined : collection.readers[store.place]?.card(key);
        // A memory that changed since has other vectors, or none yet.
        return card && card.contentHash === found.key && admits(card) ? [card] : [];
      });
      return cards.slice(0, limit);
    },
  };
}
