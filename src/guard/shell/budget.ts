/** Steps for all expressions of one decision: 20 million take about 100 ms in the worst case seen. */
export const MAX_TEXT_STEPS: number = 20_000_000;
/** Milliseconds for one decision. Real calls take one. */
const MAX_MS = 500;

/** When a decision that begins now must end, by `performance.now()`. */
export function decisionEnd(): number {
  return performance.now() + MAX_MS;
}

export class BudgetSpent extends Error {}

/** Steps that a piece of work may take, and when it must end, by `performance.now()`. */
export class Budget {
  #left: number;
  readonly #untilMs: number;

  constructor(steps: number, untilMs: number = Infinity) {
    this.#left = steps;
    this.#untilMs = untilMs;
  }

  take(steps: number): boolean {
    if (steps > this.#left) return false;
    this.#left -= steps;
    return true;
  }

  isLate(): boolean {
    return performance.now() > this.#untilMs;
  }

  /** Takes steps and checks the clock every 64 steps. @throws BudgetSpent when steps or time are over. */
  spend(steps: number): void {
    const before = this.#left >> 6;
    if (!this.take(steps)) throw new BudgetSpent("the text takes too many steps to read");
    if (before !== this.#left >> 6 && this.isLate()) throw new BudgetSpent("the text takes too long to read");
  }
}
