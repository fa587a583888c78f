/** Longer texts are not read, in characters: the parser needs the square of the depth of what it reads. */
export const MAX_SHELL_CHARS: number = 64 * 1024;
/** So many here-documents and expansions a text may have for the same reason; whole programs stay far below. */
const MAX_NESTED = 2000;

/** Loops and lists are read once for each of so many known values; beyond, the value is unknown. */
export const MAX_EACH = 32;

/** Why a text is too much to be read, or undefined. */
export function whyNotRead(source: string): string | undefined {
  if (source.length > MAX_SHELL_CHARS)
    return `the text has ${source.length} characters, ${MAX_SHELL_CHARS} at most are read`;
  if (source.split(/<<|\$[{(]/).length > MAX_NESTED)
    return `the text has more than ${MAX_NESTED} here-documents and expansions`;
  return undefined;
}

/** Raised when reading a text takes more steps or time than it may; caught where reading began. */
export class BudgetSpent extends Error {}

/** Steps that reading a text may take, and until when: scripts can nest, call themselves and double their words. */
export class Budget {
  #left: number;
  readonly #untilMs: number;

  constructor(steps: number, untilMs: number = Infinity) {
    this.#left = steps;
    this.#untilMs = untilMs;
  }

  /** Throws BudgetSpent when nothing is left; every 64 steps it looks at the clock. */
  spend(steps: number): void {
    const before = this.#left >> 6;
    this.#left -= steps;
    if (this.#left < 0) throw new BudgetSpent("the text takes too many steps to read");
    if (before !== this.#left >> 6 && performance.now() > this.#untilMs)
      throw new BudgetSpent("the text takes too long to read");
  }
}
