import type { MemoryMetadata } from "../../src/memory/memory.ts";

/** A card with the fields that a test is about; everything else is ordinary. */
export function metadataOf(fields: Partial<MemoryMetadata> & { name: string }): MemoryMetadata {
  return {
    id: `ID-${fields.name}`,
    statement: `about ${fields.name.replaceAll("-", " ")}`,
    type: "project",
    created: "2026-05-02",
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
    file: `project/${fields.name}.md`,
    mtimeMs: 0,
    sizeBytes: 100,
    contentHash: "0123456789abcdef",
    bodyLength: 100,
    ...fields,
  };
}
