import type { MemoryMetadata } from "../../memory/memory-metadata.ts";

/** The indexed fields of a memory, in the order in which segments store them (part of the file format). */
export const FIELDS = ["name", "trigger", "aliases", "tags", "description", "body"] as const;
export type Field = (typeof FIELDS)[number];

export const FIELD_COUNT: number = FIELDS.length;
/** Place of the body in {@link FIELDS}; most postings are in the body alone and have a shorter code. */
export const BODY_FIELD = 5;

/** What the index is built from: a memory's metadata and its text. */
export interface IndexDocument {
  metadata: MemoryMetadata;
  body: string;
}

/** Identity of a document in its store's index: the file, `#`, and the section for files that hold several memories. */
export function documentKeyOf(metadata: { file: string; section?: number }): string {
  return `${metadata.file}#${metadata.section ?? ""}`;
}

/** Identity of a document among those of several stores. */
export function documentKeyAmongStores(metadata: {
  storeId: string;
  file: string;
  section?: number;
}): string {
  return `${metadata.storeId}\n${documentKeyOf(metadata)}`;
}

/** The texts of one field. */
export function fieldValuesOf({ metadata, body }: IndexDocument, field: Field): readonly string[] {
  const values: Record<Field, readonly string[]> = {
    name: [metadata.name],
    trigger: metadata.trigger,
    aliases: metadata.aliases,
    tags: metadata.tags,
    description: [metadata.description],
    body: [body],
  };
  return values[field];
}
