/**
 * Steps that all expressions of one decision may take together. A step is one instruction at one character; 20 million
 * take about 100 ms in the worst case seen, and 200 ordinary expressions over a command line some thousands.
 */
const MAX_STEPS = 20_000_000;
/**
 * And how long deciding on one call may take in all, in milliseconds: reading it, heed's own records and the guards. A decision on
 * what agents really do takes 10 to 20; thousands of commands asked of a hundred guards take longer than any hook may.
 */
const MAX_MS = 500;

/** When a decision that begins now has to be made, by `performance.now()`. */
export function decisionEnd(): number {
  return performance.now() + MAX_MS;
}

/** What is left for one decision. */
export class TextBudget {
  #left = MAX_STEPS;
  readonly #untilMs: number;

  constructor(untilMs: number = decisionEnd()) {
    this.#untilMs = untilMs;
  }

  /** Takes steps, or tells that there are not so many left. */
  take(steps: number): boolean {
    if (steps > this.#left) return false;
    this.#left -= steps;
    return true;
  }

  /** Whether the time is over: what was not asked by now cannot be told. */
  isLate(): boolean {
    return performance.now() > this.#untilMs;
  }
}
