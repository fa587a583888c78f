import { filesOfEpisode } from "../../inject/episode-lines.ts";
import type { MemoryCard } from "../../memory/memory-card.ts";

/** An episode with its text. */
export interface ReadEpisode {
  card: MemoryCard;
  body: string;
}

/**
 * The newest of these episodes that somebody may want to go on with; those of low salience, in which nothing was done,
 * only when `isTrivialToo` and there is no other.
 */
export function newestEpisode(cards: readonly MemoryCard[], isTrivialToo = false): MemoryCard | undefined {
  const sorted = newestFirst(cards);
  return sorted.find(({ salience }) => salience !== "low") ?? (isTrivialToo ? sorted[0] : undefined);
}

/**
 * The newest of these episodes that was left unfinished. One whose files a later finished session has changed counts as
 * gone on with; another task that was finished since displaces nothing.
 *
 * @param mostPassed so many finished sessions may lie after it: what nobody returned to in more is not what is next.
 */
export async function lastUnfinished(
  cards: readonly MemoryCard[],
  read: (card: MemoryCard) => Promise<ReadEpisode | undefined>,
  mostPassed: number = Infinity,
): Promise<ReadEpisode | undefined> {
  const changedSince = new Set<string>();
  let passed = 0;
  for (const card of newestFirst(cards)) {
    if (card.salience === "low") continue;
    const episode = await read(card);
    if (!episode) continue;
    const files = filesOfEpisode(episode.body);
    if (card.status === "open" && !files.some((file) => changedSince.has(file))) return episode;
    for (const file of files) changedSince.add(file);
    if ((passed += 1) > mostPassed) return undefined;
  }
  return undefined;
}

function newestFirst(cards: readonly MemoryCard[]): MemoryCard[] {
  const time = (card: MemoryCard): string => card.updated ?? card.created ?? "";
  return cards.toSorted((a, b) => (time(a) < time(b) ? 1 : time(a) > time(b) ? -1 : 0));
}
