import type { MemoryCard } from "../../memory/memory-card.ts";
import { redactSecrets } from "../../screening/redact-secrets.ts";
import type { Collection } from "../place/collection.ts";

/**
 * The text behind a card as a session may be told it: a hand edit passes no gate, and what is cut into passages or lines
 * may tear a secret apart, so that nobody knows it any more.
 */
export async function readForTelling(
  collection: Pick<Collection, "read">,
  card: MemoryCard,
): Promise<{ card: MemoryCard; body: string } | undefined> {
  const read = await collection.read(card);
  return read && { card: read.card, body: redactSecrets(read.body) };
}
