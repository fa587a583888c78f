import type { WorkTree } from "./work-tree.ts";

/** What came of checking one claim against a tree. */
export interface ClaimCheck {
  /** The claim as the memory has it. */
  claim: string;
  state: "kept" | "broken" | "unchecked";
  /** For a broken one what is the case instead; for an unchecked one why. In words, without a full stop. */
  finding?: string;
  /** What the subject is now, where it has a value: the text that a repaired claim would state. */
  actual?: string;
}

/** What came of a check, before it is known whose claim it is. */
export type Finding = Omit<ClaimCheck, "claim">;

/** Files to check against: a work tree, or a commit. */
export type Tree = Pick<WorkTree, "look" | "text">;

/** What claims that are not about files are checked against. */
export interface Machine {
  /** Directory inside the repository whose branches count; undefined: there is none. */
  root: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
  now: Date;
}

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
  unchecked?: string;
}

/** The finding on a claim for which there was no time. */
export const NOT_IN_TIME: string = "not re-checked in time";
