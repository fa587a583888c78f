/** A source text in one language with what it defines. */
export interface Sample {
  file: string;
  source: string;
  defined: readonly string[];
  /** Mentioned, called or commented out, never defined. */
  undefined: readonly string[];
  /** A piece of the source and what it is replaced by, so that the symbol is defined no more. */
  breaks: readonly [symbol: string, from: string, to: string];
}
