/**
 * Steps that all expressions of one decision may take together. A step is one instruction at one character; 20 million
 * take about 100 ms in the worst case seen, and 200 ordinary expressions over a command line some thousands.
 */
const MAX_STEPS = 20_000_000;
/**
 * And how long asking the guards may take in all, in milliseconds: half of what a hook has for its answer. A decision on
 * what agents really do takes 10 to 20; thousands of commands asked of a hundred guards take longer than any hook may.
 */
const MAX_MS = 500;

/** What is left for one decision. */
export class TextBudget {
  #left = MAX_STEPS;
  readonly #untilMs = performance.now() + MAX_MS;

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
