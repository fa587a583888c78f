import type { SemanticSignals } from "./semantic-signals.ts";

/**
 * The gate's constants: a logistic model of the signals and the nearness of meaning, written by
 * `npm run bench -- fit-gate --data DIR --model DIR --write`, which prints what it is worth on stores that it was not fitted to.
 * The weights of `trigger` and `cueless` are set by hand.
 */
export const SEMANTIC_GATE_WEIGHTS: Readonly<Record<keyof SemanticSignals, number>> = {
  likelihood: 1.1486,
  headCoverage: 5.9015,
  named: 12.1216,
  neighbours: 1.9024,
  lone: -0.0293,
  clutter: -13.9601,
  crowd: -0.3676,
  nearness: 7.2068,
  trigger: 1,
  cueless: -1,
};
export const SEMANTIC_GATE_BIAS: number = -5.4613;

/** From this probability on a memory is told whole. */
export const SEMANTIC_BODY_THRESHOLD: number = 0.2929;
/** From this probability on it is pointed at. */
export const SEMANTIC_POINTER_THRESHOLD: number = 0.0816;
