import type { IndexDocument } from "../../src/index/document/index-document.ts";
import type { MemoryCard } from "../../src/memory/memory-card.ts";

/** A document with the defaults of a confirmed project memory; `text` is its body. */
export function sampleDocument(name: string, text = "", card: Partial<MemoryCard> = {}): IndexDocument {
  return {
    card: {
      id: `id-${name}`,
      name,
      description: "",
      type: "project",
      tags: [],
      aliases: [],
      trigger: [],
      confidence: "high",
      source: "observed",
      status: "confirmed",
      salience: "medium",
      scope: { paths: [] },
      claims: [],
      links: [],
      origin: {},
      storeId: "user",
      file: `project/${name}.md`,
      mtimeMs: 1_700_000_000_000.5,
      sizeBytes: text.length,
      contentHash: "0123456789abcdef",
      bodyLength: text.length,
      ...card,
    },
    body: text,
  };
}
