import type { RelevanceSignals } from "./relevance-signals.ts";

/** The signals of words, and, where a sentence model tells it, the nearness of meaning. */
export interface SemanticSignals extends RelevanceSignals {
  /** Cosine of the prompt and the memory, -1 to 1. */
  nearness: number;
}
