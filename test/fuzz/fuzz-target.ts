import type { Arbitrary } from "fast-check";

/** A part of heed that reads what anybody may have written, and what must hold for whatever it is given. */
export interface FuzzTarget {
  name: string;
  /** Inputs to begin with: of each kind that the part reads. */
  seeds: readonly string[];
  /** Words that mean something to it. */
  words: readonly string[];
  /** Inputs made from nothing; `npm run fuzz` then tries a number of them (`--sessions`), whatever its seconds. */
  made?: Arbitrary<string>;
  /** One case may take so many milliseconds of CPU. Default 2,000. */
  maxMs?: number;
  /** So many made-up cases are tried by the tests; more where one takes no time. Default 25. */
  cases?: number;
  /** Throws when something does not hold. */
  check(input: string): void | Promise<void>;
  close?(): Promise<void>;
}

/** Throws with what was expected, unless it holds. */
export function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(`does not hold: ${what}`);
}
