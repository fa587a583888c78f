import { handleOf } from "../../memory/handle.ts";
import type { MemoryCard } from "../../memory/memory-card.ts";
import { areVersions } from "../../recall/are-versions.ts";
import { differenceOf, termsOfStatement } from "../../recall/difference.ts";

/** Only statements that share this much of their terms are asked whether they are versions: all pairs are compared. */
const MIN_SHARED_SHARE = 0.4;

/** Of statements that look like versions of one fact, the older ones, each with the handle of the newest. */
export function olderVersions(cards: readonly MemoryCard[]): Map<MemoryCard, string> {
  const known = cards.map((card) => ({ card, terms: termsOfStatement(card.description), day: dayOf(card) }));
  const newest = new Map<MemoryCard, (typeof known)[number]>();
  for (const [i, first] of known.entries())
    for (const second of known.slice(i + 1)) {
      if (first.card.type !== second.card.type || first.day === second.day) continue;
      const { shared } = differenceOf(first.terms, second.terms);
      const all = first.terms.size + second.terms.size - shared.size;
      if (shared.size < MIN_SHARED_SHARE * all) continue;
      const [newer, older] = first.day > second.day ? [first, second] : [second, first];
      if ((newest.get(older.card)?.day ?? "") >= newer.day) continue;
      if (areVersions(newer.card.description, older.card.description)) newest.set(older.card, newer);
    }
  return new Map([...newest].map(([card, newer]) => [card, handleOf(newer.card)]));
}

/** When a memory was last written; empty when it does not say. */
function dayOf(card: MemoryCard): string {
  return card.updated ?? card.created ?? "";
}
