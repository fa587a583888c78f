import type { IndexReader } from "../../index/index-reader.ts";
import type { MemoryMetadata, StoreRef } from "../../memory/memory.ts";
import type { Hit } from "../../recall/search-query.ts";
import type { SearchResult } from "../../recall/search.ts";
import type { SaidTurn } from "../../capture/session-summary.ts";

/** What of a collection is needed to know what its memories mean. */
export interface MeantCollection {
  /** In the order of the readers. */
  readonly stores: readonly StoreRef[];
  readonly readers: readonly IndexReader[];
  read(metadata: MemoryMetadata): Promise<{ metadata: MemoryMetadata; body: string } | undefined>;
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
  admits(metadata: MemoryMetadata): boolean;
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

/** A memory that is there already. */
export interface KnownMemory {
  /** `heed:name`; unique in its list. */
  handle: string;
  type: string;
  description: string;
}

/** What a model found worth keeping, as it says: nothing of it is checked yet. */
export interface LearntItem {
  type: string;
  /** One sentence that stands alone. */
  statement: string;
  /** The user's own words for it. */
  quote: string;
  /** Only where the user gave one, in their words. */
  reason: string | undefined;
  /** The handle of a memory that it adds to or says otherwise than. */
  changes: string | undefined;
}

/** What is put to the model: turns of one session and what is known. */
export interface AskedLesson {
  session: string;
  turns: readonly SaidTurn[];
  known: readonly KnownMemory[];
  /** Ends the call: somebody needs the machine. */
  signal?: AbortSignal;
}

/** The optional model that reads what the user said after a session; only where the user set one up. */
export interface LearnerSource {
  /**
   * Asks once, within the day's budget; undefined when there is no budget, or trouble, which is written down: then it may
   * be asked again. An invalid answer was paid for, and says nothing. Never rejects.
   */
  learn(asked: AskedLesson): Promise<LearntItem[] | undefined>;
}
