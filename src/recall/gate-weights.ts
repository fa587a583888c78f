import type { RelevanceSignals } from "./relevance-signals.ts";

/**
 * The gate's constants: a logistic model of the signals, written by
 * `npm run bench -- fit-gate --data DIR --write`, which prints what it is worth on stores that it was not fitted to.
 * The weight of `trigger` is set by hand.
 */
export const GATE_WEIGHTS: Readonly<Record<keyof RelevanceSignals, number>> = {
  likelihood: 0.807,
  headLikelihood: 0.079,
  headCoverage: 15.026,
  neighbours: 2.37,
  isSingle: -0.327,
  clutter: -10.281,
  trigger: 1,
};
export const GATE_BIAS: number = -4.442;

/** From this probability on a memory is told whole. */
export const BODY_THRESHOLD: number = 0.308;
/** From this probability on it is pointed at. */
export const POINTER_THRESHOLD: number = 0.11;
