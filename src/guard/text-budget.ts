/**
 * Steps that all expressions of one decision may take together. A step is one instruction at one character; 20 million
 * take about 100 ms in the worst case seen, and 200 ordinary expressions over a command line some thousands.
 */
const MAX_STEPS = 20_000_000;

/** What is left for the texts of one decision. */
export class TextBudget {
  #left = MAX_STEPS;

  /** Takes steps, or tells that there are not so many left. */
  take(steps: number): boolean {
    if (steps > this.#left) return false;
    this.#left -= steps;
    return true;
  }
}
