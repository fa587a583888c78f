/**
 * Steps for all expressions of one decision. A step is one instruction at one character: 20 million take about 100 ms in
 * the worst case seen, 200 ordinary expressions over a command line take thousands.
 */
export const MAX_TEXT_STEPS: number = 20_000_000;
/**
 * Time for one decision in milliseconds: reading the call, heed's own records and the guards. Real calls take 10 to 20;
 * thousands of commands and a hundred guards take longer than any hook may.
 */
const MAX_MS = 500;

/** When a decision that begins now must end, by `performance.now()`. */
export function decisionEnd(): number {
  return performance.now() + MAX_MS;
}

/** Longer texts are not read, in characters: the parser takes the square of the nesting depth. */
export const MAX_SHELL_CHARS: number = 64 * 1024;
/** Limit of here-documents and expansions in a text, for the same reason; whole programs have far fewer. */
const MAX_NESTED = 2000;

/** Loops and lists are read once for each known value; the values of a longer list are unknown. */
export const MAX_EACH = 32;

/** Why a text is too much to be read, or undefined. */
export function whyNotRead(source: string): string | undefined {
  if (source.length > MAX_SHELL_CHARS)
    return `the text has ${source.length} characters, ${MAX_SHELL_CHARS} at most are read`;
  if (source.split(/<<|\$[{(]/).length > MAX_NESTED)
    return `the text has more than ${MAX_NESTED} here-documents and expansions`;
  return undefined;
}

/** Thrown when a budget is spent; caught where reading began. */
export class BudgetSpent extends Error {}

/** Steps that a piece of work may take, and when it must end, by `performance.now()`. */
export class Budget {
  #left: number;
  readonly #untilMs: number;

  constructor(steps: number, untilMs: number = Infinity) {
    this.#left = steps;
    this.#untilMs = untilMs;
  }

  /** Takes steps. Returns false, and takes none, when fewer are left. */
  take(steps: number): boolean {
    if (steps > this.#left) return false;
    this.#left -= steps;
    return true;
  }

  /** Whether the time is over. */
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
