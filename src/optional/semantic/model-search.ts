import type {
  MeantCollection,
  MeantSearch,
  RankedSearch,
  SearchByMeaning,
} from "../../app/place/optional-parts.ts";
import type { StoreRef } from "../../memory/memory.ts";
import type { Encoder } from "./worker-encoder.ts";
import { QUERY_TOKENS } from "./memory-text.ts";
import { MemoryVectors } from "./memory-vectors.ts";
import { isPlainQuery, rankByMeaning } from "./rank-by-meaning.ts";

/**
 * Milliseconds that a search waits for its vector: the native engine takes 9, WebAssembly 72, after the memory
 * under way.
 */
const WAIT_MS = 500;
/** After so long without a search the model is given back, with the 150 to 380 MB that it takes. */
const IDLE_MS = 30 * 60_000;

/** What a search by meaning needs from outside. */
export interface ModelSearchParts {
  /** Loads the model; called again after an idle time. */
  load(): Promise<Encoder>;
  /** Where the vectors of a store are kept between processes. */
  fileOf(store: StoreRef): string;
  note(trouble: unknown): void;
  /** See WAIT_MS. */
  waitMs?: number;
}

/** A model, and the vectors that it gave to memories. */
interface LoadedModel {
  encoder: Encoder;
  vectors: MemoryVectors;
}

/** Ranks by words and by an embedding model, which is loaded in the background when a search first comes. */
export class ModelSearch implements SearchByMeaning {
  readonly #parts: ModelSearchParts;
  #loaded: LoadedModel | undefined;
  #loading: Promise<void> | undefined;
  /** A model that does not load is not tried again: the reason is in the log. */
  #isBroken = false;
  #idle: NodeJS.Timeout | undefined;

  constructor(parts: ModelSearchParts) {
    this.#parts = parts;
  }

  async rank(search: MeantSearch): Promise<RankedSearch> {
    if (!isPlainQuery(search.query)) return search.byWords(search.limit);
    this.#stayAwake();
    const loaded = this.#loaded;
    if (loaded === undefined) void this.load();
    else loaded.vectors.follow(search.collection);
    const query = loaded && (await this.#encode(search.query, loaded));
    return loaded && query ? rankByMeaning(search, query, loaded.vectors) : search.byWords(search.limit);
  }

  /** Loads the model, once; resolves when it is there or known not to come. */
  load(): Promise<void> {
    if (this.#isBroken || this.#loaded) return Promise.resolve();
    this.#loading ??= this.#load();
    return this.#loading;
  }

  async #load(): Promise<void> {
    try {
      const encoder = await this.#parts.load();
      this.#loaded = { encoder, vectors: new MemoryVectors({ ...this.#parts, encoder }) };
    } catch (error) {
      this.#isBroken = true;
      this.#parts.note(error);
    } finally {
      this.#loading = undefined;
    }
  }

  /** Resolves when every memory of the collection has its vector. */
  async embedAll(collection: MeantCollection): Promise<void> {
    await this.load();
    this.#loaded?.vectors.follow(collection);
    await this.#loaded?.vectors.whenDone();
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#loading;
    const loaded = this.#loaded;
    this.#loaded = undefined;
    loaded?.vectors.stop();
    await loaded?.encoder.close();
  }

  async #encode(text: string, loaded: LoadedModel): Promise<Int8Array | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, this.#parts.waitMs ?? WAIT_MS, undefined);
    });
    const encoded = loaded.encoder.encode(text, QUERY_TOKENS).catch((error: unknown) => {
      this.#fail(loaded, error);
      return undefined;
    });
    try {
      return await Promise.race([encoded, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  #fail(loaded: LoadedModel, error: unknown): void {
    if (this.#loaded !== loaded) return;
    this.#isBroken = true;
    this.#loaded = undefined;
    loaded.vectors.stop();
    this.#parts.note(error);
  }

  #stayAwake(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      this.close().catch((error: unknown) => this.#parts.note(error));
    }, IDLE_MS).unref();
  }
}
