import type { MemoryCard } from "../../memory/memory-card.ts";

/** What few memories have and each event asks for: those are listed, so that nobody reads all cards for them. */
export const CARD_PARTS = ["guard", "claims"] as const;
export type CardPart = (typeof CARD_PARTS)[number];

/** Whether a memory has such a part. */
export function hasPart(card: Pick<MemoryCard, "guard" | "claims">, part: CardPart): boolean {
  return part === "guard" ? card.guard !== undefined : card.claims.length > 0;
}
