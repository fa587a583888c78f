/** What git knows about a claim that no longer holds. */
export interface ClaimBreak {
  claim: string;
  /** The commit since which it does not hold; absent: not committed yet, or not known. */
  since?: { commit: string; date: string };
  /** What its subject became. */
  became?: {
    /** The claim that holds instead. */
    claim: string;
    /** In words: `src/a.ts was renamed to src/b.ts`. */
    words: string;
    /** Git or the content itself shows it; otherwise it is the likeliest of what is there. */
    isCertain: boolean;
  };
  /** Where its file went, in words, when the claim does not hold there either and nothing took its place. */
  moved?: string;
  /** Why the history could not be asked. */
  unmeasured?: string;
}
