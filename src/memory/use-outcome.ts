/** What came of a memory in the work: what a model reports. */
export type UseOutcome = "applied" | "ignored" | "contradicted" | "corrected";
export const USE_OUTCOMES: readonly UseOutcome[] = ["applied", "ignored", "contradicted", "corrected"];
