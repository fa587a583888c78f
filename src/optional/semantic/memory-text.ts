import type { MemoryCard } from "../../memory/memory-card.ts";

/** Tokens of a query that are read: 64 find as well as 128 and take half the time. */
export const QUERY_TOKENS = 64;
/** Tokens of a memory that are read; the model was trained on 128 and reads 256 better. */
export const MEMORY_TOKENS = 256;

/** Goes into the fingerprint of the vectors: a text that is made otherwise has another vector. */
export const RECIPE = "head and text 1";

/**
 * The text of a memory that is encoded. Further vectors for the head or for passages were measured to be no
 * better.
 */
export function memoryText(card: MemoryCard, body: string): string {
  const name = card.name.replace(/[-_]+/g, " ");
  const cues = [...card.trigger, ...card.aliases].join(", ");
  return `${name}. ${card.description}${cues === "" ? "" : ` (${cues})`}\n${body}`;
}
