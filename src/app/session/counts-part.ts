import type { Situation } from "./situation.ts";
import { whyNotHere } from "./situation.ts";
import { linePart } from "./line-part.ts";
import type { OpeningPart } from "./opening-part.ts";

/** One line: how many facts hold here, by type. */
export const countsPart: OpeningPart = async ({ situation }) =>
  situation.mode === "rules" ? undefined : linePart(countLine(countFacts(situation)));

/** How many facts hold here, per type. */
function countFacts(situation: Situation): Map<string, number> {
  const { collection } = situation;
  const counts = new Map<string, number>();
  for (const card of collection.cards()) {
    const injection = collection.types.get(card.type)?.injection;
    if (injection === undefined || injection === "always" || injection === "resume") continue;
    if (!collection.storeOf(card).isTrusted || whyNotHere(card, situation) !== undefined) continue;
    counts.set(card.type, (counts.get(card.type) ?? 0) + 1);
  }
  return counts;
}

function countLine(facts: ReadonlyMap<string, number>): string {
  const counts = [...facts].filter(([, count]) => count > 0);
  if (counts.length === 0) return "";
  counts.sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  const shown = counts.slice(0, 8).map(([type, count]) => `${count} ${type}`);
  if (counts.length > shown.length) shown.push("…");
  return `heed holds ${total} ${total === 1 ? "fact" : "facts"} here (${shown.join(", ")}): memory_search finds them; cite [heed:name] when you use one.`;
}
