import type { IndexDocument } from "../src/index/document/index-document.ts";
import type { MemoryMetadata } from "../src/memory/memory.ts";

/** A text of a data set as heed indexes it; only what is searched matters. */
export function documentOfText(
  id: string,
  text: string,
  metadata: Partial<MemoryMetadata> = {},
): IndexDocument {
  return {
    metadata: {
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
      ...metadata,
    },
    body: text,
  };
}
