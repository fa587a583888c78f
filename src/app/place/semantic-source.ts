import type { IndexReader } from "../../index/index-reader.ts";
import type { MemoryCard } from "../../memory/memory-card.ts";
import type { TypeTable } from "../../memory/memory-type.ts";
import type { StoreRef } from "../../memory/store-ref.ts";

/** What of a collection is needed to know what its memories mean. */
export interface EncodedCollection {
  /** In the order of the readers. */
  readonly stores: readonly StoreRef[];
  readonly readers: readonly IndexReader[];
  readonly types: TypeTable;
  read(card: MemoryCard): Promise<{ card: MemoryCard; body: string } | undefined>;
}

/** A prompt whose meaning is known, and the memories near it. */
export interface PromptMeaning {
  /** Cosine, -1 to 1; undefined for a memory that has no vector (yet). */
  nearnessOf(card: MemoryCard): number | undefined;
  /** The admitted memories of the collection that are nearest to the prompt, nearest first. */
  nearest(limit: number, admits: (card: MemoryCard) => boolean): MemoryCard[];
}

/** A question that was put to the model, to be answered for a collection. */
export type AskedMeaning = (collection: EncodedCollection) => Promise<PromptMeaning | undefined>;

/** The optional part of recall that knows what words mean; only a resident process has one. */
export interface SemanticSource {
  /** Loads the model, once; resolves when it is there or known not to come. */
  load(): Promise<void>;
  /**
   * The meaning of a text, asked before the collection is opened, since the model works in another thread meanwhile.
   * What comes back is asked with the collection once it is there; it resolves with undefined when there is no model,
   * when it is still being loaded, or when it was not done by the deadline (`performance.now()`).
   */
  ask(text: string, deadlineAtMs: number): AskedMeaning;
  /** Gives the model back. */
  close(): Promise<void>;
}
