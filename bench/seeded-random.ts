import { seededRandom } from "./corpus.ts";

/** Choices that are the same on every run with the same seed. */
export class SeededRandom {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = seededRandom(seed);
  }

  /** A whole number from 0 up to `below`. */
  below(below: number): number {
    return Math.floor(this.#next() * below);
  }

  /** One of a list; undefined for an empty one. */
  pick<T>(list: readonly T[]): T | undefined {
    return list[this.below(list.length)];
  }

  /** So many of a list, each once. */
  sample<T>(list: readonly T[], count: number): T[] {
    const rest = [...list];
    const picked: T[] = [];
    while (picked.length < count && rest.length > 0) picked.push(...rest.splice(this.below(rest.length), 1));
    return picked;
  }
}
