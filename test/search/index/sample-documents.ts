import type { IndexDocument } from "../../../src/search/index/document/index-document.ts";
import type { MemoryMetadata } from "../../../src/memory/memory.ts";
import { metadataOf } from "../../memory/metadata-of.ts";

/** A document with the defaults of a confirmed project memory; `text` is its body. */
export function sampleDocument(
  name: string,
  text = "",
  metadata: Partial<MemoryMetadata> = {},
): IndexDocument {
  const { created: _, ...undated } = metadataOf({ name, id: `id-${name}`, statement: "" });
  const where = { mtimeMs: 1_700_000_000_000.5, sizeBytes: text.length, bodyLength: text.length };
  return { metadata: { ...undated, ...where, ...metadata }, body: text };
}
