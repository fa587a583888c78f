import type { SemanticSignals } from "./semantic/semantic-signals.ts";

/**
 * The gate's constants: a logistic model of the signals and the nearness of meaning, written by
 * `npm run bench -- fit-gate --data DIR --model DIR --write`, which prints what it is worth on stores that it was not fitted to.
 * The weight of `trigger` is set by hand.
 */
export const SEMANTIC_GATE_WEIGHTS: Readonly<Record<keyof SemanticSignals, number>> = {
  likelihood: 0.8367,
  headLikelihood: -0.0006,
  headCoverage: 11.0047,
  neighbours: 1.915,
  isSingle: 0.1444,
  clutter: -8.4292,
  crowd: -0.418,
  nearness: 6.8084,
  trigger: 1,
};
export const SEMANTIC_GATE_BIAS: number = -4.5679;

/** From this probability on a memory is told whole. */
export const SEMANTIC_BODY_THRESHOLD: number = 0.3411;
/** From this probability on it is pointed at. */
export const SEMANTIC_POINTER_THRESHOLD: number = 0.0993;
