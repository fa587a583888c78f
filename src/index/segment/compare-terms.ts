const SURROGATE = /[\ud800-\udfff]/;

/**
 * The order of terms in a segment: that of their UTF-8 bytes. Strings compare by UTF-16 code units, which is the same
 * order except for characters beyond U+FFFF.
 */
export function compareTerms(left: string, right: string): number {
  if (left === right) return 0;
  if (SURROGATE.test(left) || SURROGATE.test(right))
    return Buffer.compare(Buffer.from(left), Buffer.from(right));
  return left < right ? -1 : 1;
}

/** Sorts terms in that order. Most stores hold no character beyond U+FFFF: then the engine's own order is the same. */
export function sortTerms(terms: string[]): string[] {
  return terms.some((term) => SURROGATE.test(term)) ? terms.sort(compareTerms) : terms.sort();
}
