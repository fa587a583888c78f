import { SeededRandom } from "../../bench/seeded-random.ts";

const SYLLABLES = "ba cor dil fen gu hal jin kor lum mer nab pol quil ras".split(" ");
const ENDINGS = ["dex", "fin", "gard", "ling", "mund", "nor", "pith", "stan", "tam", "vok", "wick", "zel"];

/** Made-up words, so that no two memories resemble each other by accident, the same for the same seed. */
export class SeededWords extends SeededRandom {
  word(): string {
    const syllables = Array.from({ length: 2 + this.below(2) }, () => this.pick(SYLLABLES) ?? "");
    return syllables.join("") + (this.pick(ENDINGS) ?? "");
  }

  words(count: number): string {
    return Array.from({ length: count }, () => this.word()).join(" ");
  }
}
