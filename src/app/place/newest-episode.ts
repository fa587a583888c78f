import type { MemoryCard } from "../../memory/memory-card.ts";

/**
 * The newest of these episodes that somebody may want to go on with; those of low salience, in which nothing was done,
 * only when `isTrivialToo` and there is no other.
 */
export function newestEpisode(cards: readonly MemoryCard[], isTrivialToo = false): MemoryCard | undefined {
  const time = (card: MemoryCard): string => card.updated ?? card.created ?? "";
  const sorted = cards.toSorted((a, b) => (time(a) < time(b) ? 1 : time(a) > time(b) ? -1 : 0));
  return sorted.find(({ salience }) => salience !== "low") ?? (isTrivialToo ? sorted[0] : undefined);
}
