import { editsBetween } from "../../curate/nearest-names.ts";
import type { MemoryCard } from "../../memory/memory-card.ts";

/** A tag that stands on one memory only and is close to one that stands on several. */
export interface TagTypo {
  tag: string;
  like: string;
  /** The memory that carries it, and all its tags. */
  name: string;
  tags: readonly string[];
}

/** A slip changes, adds or drops this many letters (Levenshtein) at most. */
const MAX_EDITS = 2;
/** In shorter tags two letters make another word: `git` and `ci`. */
const MIN_LENGTH = 4;

/**
 * Tags used once that are within two edits of a tag used more often. They are suggested, never folded: `test` and
 * `rest` are close as well.
 */
export function tagTypos(cards: readonly Pick<MemoryCard, "name" | "tags">[]): TagTypo[] {
  const carriers = new Map<string, Pick<MemoryCard, "name" | "tags">[]>();
  for (const card of cards)
    for (const tag of new Set(card.tags.map((one) => one.toLowerCase())))
      carriers.set(tag, [...(carriers.get(tag) ?? []), card]);
  const common = [...carriers].filter(([, found]) => found.length > 1).map(([tag]) => tag);
  return [...carriers].flatMap(([tag, found]): TagTypo[] => {
    const [card] = found;
    if (found.length !== 1 || card === undefined || tag.length < MIN_LENGTH) return [];
    const like = common
      .filter((other) => Math.abs(other.length - tag.length) <= MAX_EDITS)
      .map((other) => ({ other, edits: editsBetween(tag, other) }))
      .filter(({ edits }) => edits <= (tag.length < 6 ? 1 : MAX_EDITS))
      .sort(
        (a, b) =>
          a.edits - b.edits || (carriers.get(b.other)?.length ?? 0) - (carriers.get(a.other)?.length ?? 0),
      )[0];
    return like ? [{ tag, like: like.other, name: card.name, tags: card.tags }] : [];
  });
}
