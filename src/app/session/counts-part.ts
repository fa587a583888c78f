import type { MemoryCard } from "../../memory/memory-card.ts";
import { linePart } from "./line-part.ts";
import { factsHere } from "./map-here.ts";
import { mapBudget } from "./map-part.ts";
import type { OpeningPart } from "./opening-part.ts";

/** Where there is no map, one line: how many facts hold here, by type. */
export const countsPart: OpeningPart = async ({ situation, agent }) =>
  situation.mode === "rules" || mapBudget(situation, agent) > 0
    ? undefined
    : linePart(countLine(factsHere(situation, agent)));

function countLine(facts: readonly MemoryCard[]): string {
  if (facts.length === 0) return "";
  const byType = new Map<string, number>();
  for (const { type } of facts) byType.set(type, (byType.get(type) ?? 0) + 1);
  const counts = [...byType];
  counts.sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const total = facts.length;
  const shown = counts.slice(0, 8).map(([type, count]) => `${count} ${type}`);
  if (counts.length > shown.length) shown.push("…");
  return `heed holds ${total} ${total === 1 ? "fact" : "facts"} here (${shown.join(", ")}): memory_search finds them; cite [heed:name] when you use one.`;
}
