import type { IndexReader } from "../../index/index-reader.ts";
import type { MemoryCard } from "../../memory/memory-card.ts";
import type { StoreRef } from "../../memory/store-ref.ts";
import type { Hit } from "../../recall/hit.ts";
import type { SearchResult } from "../../recall/search.ts";

/** What of a collection is needed to know what its memories mean. */
export interface MeantCollection {
  /** In the order of the readers. */
  readonly stores: readonly StoreRef[];
  readonly readers: readonly IndexReader[];
  read(card: MemoryCard): Promise<{ card: MemoryCard; body: string } | undefined>;
}

/** A search whose hits may be ranked by what they mean. */
export interface MeantSearch {
  query: string;
  /** So many hits at most. */
  limit: number;
  collection: MeantCollection;
  /** What the words of the query find, so many at most. */
  byWords(limit: number): SearchResult;
  /** Whether a memory may be among the hits. */
  admits(card: MemoryCard): boolean;
}

/** What a search found, whoever ranked it. */
export interface RankedSearch extends SearchResult {
  hits: (Hit & {
    /** Cosine of query and memory, -1 to 1, where it took part in the ranking. */
    nearness?: number;
  })[];
}

/** The optional part that ranks a search by words and meaning; only a resident process of a user who has a model has one. */
export interface SearchByMeaning {
  /** Ranks by words alone while there is no model, and when it is late; rejects with what `byWords` throws. */
  rank(search: MeantSearch): Promise<RankedSearch>;
  /** Gives the model back. */
  close(): Promise<void>;
}
