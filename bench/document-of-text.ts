import type { IndexDocument } from "../src/index/document/index-document.ts";
import type { MemoryCard } from "../src/memory/memory-card.ts";

/** A text of a data set as heed indexes it; only what is searched matters. */
export function documentOfText(id: string, text: string, card: Partial<MemoryCard> = {}): IndexDocument {
  return {
    card: {
      id,
      name: id,
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
      storeId: "bench",
      file: `${id}.md`,
      mtimeMs: 0,
      sizeBytes: text.length,
      contentHash: id,
      bodyLength: text.length,
      ...card,
    },
    body: text,
  };
}
