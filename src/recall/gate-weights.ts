import type { RelevanceSignals } from "./relevance-signals.ts";

/**
 * The gate's constants: a logistic model of the signals, written by
 * `npm run bench -- fit-gate --data DIR --write`, which prints what it is worth on stores that it was not fitted to.
 * The weight of `trigger` is set by hand.
 */
export const GATE_WEIGHTS: Readonly<Record<keyof RelevanceSignals, number>> = {
  likelihood: 0.9258,
  headLikelihood: 0.1323,
  headCoverage: 11.7418,
  neighbours: 2.0706,
  isSingle: -0.3082,
  clutter: -8.7581,
  crowd: -0.4299,
  trigger: 1,
};
export const GATE_BIAS: number = -3.0605;

/** From this probability on a memory is told whole. */
export const BODY_THRESHOLD: number = 0.3089;
/** From this probability on it is pointed at. */
export const POINTER_THRESHOLD: number = 0.1077;
