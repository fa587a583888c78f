import type { IndexDocument } from "../../src/index/document/index-document.ts";
import type { MemoryCard } from "../../src/memory/memory-card.ts";
import { cardOf } from "../memory/card-of.ts";

/** A document with the defaults of a confirmed project memory; `text` is its body. */
export function sampleDocument(name: string, text = "", card: Partial<MemoryCard> = {}): IndexDocument {
  const { created: _, ...undated } = cardOf({ name, id: `id-${name}`, description: "" });
  const where = { mtimeMs: 1_700_000_000_000.5, sizeBytes: text.length, bodyLength: text.length };
  return { card: { ...undated, ...where, ...card }, body: text };
}
