/** A small corpus that a person can read, and what that person would want to see first. */
export interface RankingCorpus {
  /** Name of each note, and what it says; the name counts as well, as it does in a store. */
  notes: Readonly<Record<string, string>>;
  /** Query, and the note that answers it best. */
  wanted: readonly (readonly [query: string, note: string])[];
}
