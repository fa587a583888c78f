import type { RelevanceSignals } from "./relevance-signals.ts";

/**
 * The relevance model's constants: a logistic regression over the signals, written by
 * `npm run bench -- fit-relevance --data DIR --write`, which prints what it is worth on stores that it was not fitted to.
 * The weights of `trigger` and `cueless` are set by hand.
 */
export const RELEVANCE_WEIGHTS: Readonly<Record<keyof RelevanceSignals, number>> = {
  likelihood: 1.3286,
  headCoverage: 9.8872,
  named: 10.7748,
  neighbours: 2.0223,
  lone: -0.1352,
  clutter: -14.0812,
  crowd: -0.3765,
  trigger: 1,
  cueless: -1,
};
export const RELEVANCE_BIAS: number = -4.0951;

/** From this probability on a memory is told whole. */
export const BODY_THRESHOLD: number = 0.2459;
/** From this probability on it is pointed at. */
export const POINTER_THRESHOLD: number = 0.08;
