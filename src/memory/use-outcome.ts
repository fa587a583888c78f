/** What came of a memory in the work: what a model reports. */
export const USE_OUTCOMES = ["applied", "ignored", "contradicted", "corrected"] as const;
export type UseOutcome = (typeof USE_OUTCOMES)[number];
