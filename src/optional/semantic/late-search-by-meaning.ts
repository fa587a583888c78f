import type { MeantSearch, RankedSearch, SearchByMeaning } from "../../app/place/optional-parts.ts";

/** A search by meaning whose code is loaded with the first search. */
export class LateSearchByMeaning implements SearchByMeaning {
  readonly #open: () => Promise<SearchByMeaning | undefined>;
  #opening: Promise<SearchByMeaning | undefined> | undefined;

  /** `open` resolves with undefined when there is no model, and does not reject. */
  constructor(open: () => Promise<SearchByMeaning | undefined>) {
    this.#open = open;
  }

  async rank(search: MeantSearch): Promise<RankedSearch> {
    const opened = await (this.#opening ??= this.#open());
    return opened?.rank(search) ?? search.byWords(search.limit);
  }

  async close(): Promise<void> {
    const opened = this.#opening;
    // A model is shared: who has closed has no part in it any more.
    this.#opening = Promise.resolve(undefined);
    await (await opened)?.close();
  }
}
