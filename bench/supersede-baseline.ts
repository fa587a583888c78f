import { plainBm25Index } from "./plain-bm25.ts";
import type { FactPair } from "./supersede-pairs.ts";

/** Whether plain BM25 over the files puts the current version of a pair before the old one. */
export function baselineOrder(pairs: readonly FactPair[]): (pair: FactPair) => boolean {
  const find = plainBm25Index(
    pairs.flatMap(({ current, stale }) => [stale, current].map(({ name, text }) => ({ id: name, text }))),
  );
  return ({ question, current, stale }) => {
    const found = find(question, 100).map(({ id }) => id);
    const [at, other] = [found.indexOf(current.name), found.indexOf(stale.name)];
    return at >= 0 && (other < 0 || at < other);
  };
}
