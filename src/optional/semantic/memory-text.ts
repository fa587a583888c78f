import type { MemoryMetadata } from "../../memory/memory.ts";

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
export function memoryText(metadata: MemoryMetadata, body: string): string {
  const name = metadata.name.replace(/[-_]+/g, " ");
  const cues = [...metadata.trigger, ...metadata.aliases].join(", ");
  return `${name}. ${metadata.description}${cues === "" ? "" : ` (${cues})`}\n${body}`;
}
