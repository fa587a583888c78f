/** Raised when reading a text takes more steps than it may; caught where reading began. */
export class BudgetSpent extends Error {}

/**
 * Steps that reading one shell text may take. Scripts can nest, call themselves and double their words: whatever they
 * do, reading ends after this many commands, words and pieces of text.
 */
export class Budget {
  #left: number;

  constructor(steps: number) {
    this.#left = steps;
  }

  /** Throws BudgetSpent when nothing is left. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new BudgetSpent("the text takes too many steps to read");
  }
}
