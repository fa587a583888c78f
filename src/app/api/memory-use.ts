import type { UseOutcome } from "../../memory/use-outcome.ts";

export type { UseOutcome } from "../../memory/use-outcome.ts";

/** What came of a memory in the work. */
export interface UseReport {
  outcome: UseOutcome;
  /** What is so instead, in a sentence. */
  note?: string;
}

/** How often a memory was told, cited and reported on, as far as is known. */
export interface UseCounts {
  cited: number;
  applied: number;
  ignored: number;
  contradicted: number;
  corrected: number;
  /** ISO time of the last of these. */
  last?: string;
}
