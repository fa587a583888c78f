/** A document that may become a hit. */
export interface Candidate {
  score: number;
  /** Place of the segment among all segments of the search. */
  segment: number;
  document: number;
}

/** Lists are pruned when they have grown to this multiple of what is wanted. */
const PRUNE_FACTOR = 4;

/** Keeps the best candidates and all that tie with the last of them, so that the tie-break never depends on order. */
export class BestCandidates {
  readonly #wanted: number;
  #kept: Candidate[] = [];
  #pruneAt: number;
  #threshold = Number.NEGATIVE_INFINITY;
  /** Number of all candidates that were offered. */
  seen = 0;

  constructor(wanted: number) {
    this.#wanted = wanted;
    this.#pruneAt = wanted * PRUNE_FACTOR;
  }

  /** Offers the documents with a score above zero, or every admitted one when `takeAll`. */
  offer(
    segment: number,
    scores: Float64Array,
    count: number,
    admitted: Uint8Array | undefined,
    takeAll: boolean,
  ): void {
    let seen = 0;
    let threshold = this.#threshold;
    for (let document = 0; document < count; document++) {
      const score = scores[document] as number;
      if (score === 0 && !takeAll) continue;
      if (admitted !== undefined && admitted[document] === 0) continue;
      seen++;
      if (score < threshold) continue;
      this.#kept.push({ score, segment, document });
      if (this.#kept.length < this.#pruneAt) continue;
      this.#prune();
      threshold = this.#threshold;
    }
    this.seen += seen;
  }

  #prune(): void {
    if (this.#kept.length <= this.#wanted) return;
    this.#kept.sort((left, right) => right.score - left.score);
    this.#threshold = (this.#kept[this.#wanted - 1] as Candidate).score;
    this.#kept = this.#kept.filter((candidate) => candidate.score >= this.#threshold);
    // Ties can keep the list long: then the next pruning waits until it has grown in proportion.
    this.#pruneAt = Math.max(this.#wanted, this.#kept.length) * PRUNE_FACTOR;
  }

  /** The best, highest score first. */
  best(): Candidate[] {
    this.#prune();
    return this.#kept.sort((left, right) => right.score - left.score);
  }
}
