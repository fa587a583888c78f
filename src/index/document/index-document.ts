import type { MemoryCard } from "../../memory/memory-card.ts";

/** The indexed fields of a memory, in the order in which segments store them (part of the file format). */
export const FIELDS = ["name", "trigger", "aliases", "tags", "description", "body"] as const;
export type Field = (typeof FIELDS)[number];

export const FIELD_COUNT: number = FIELDS.length;
/** Place of the body in {@link FIELDS}; most postings are in the body alone and have a shorter code. */
export const BODY_FIELD = 5;

/** What the index is built from: a card and the text behind it. */
export interface IndexDocument {
  card: MemoryCard;
  body: string;
}

/** Identity of a document in its store's index: the file, `#`, and the section for files that hold several memories. */
export function documentKeyOf(card: { file: string; section?: number }): string {
  return `${card.file}#${card.section ?? ""}`;
}

/** Identity of a document among those of several stores. */
export function documentKeyAmongStores(card: { storeId: string; file: string; section?: number }): string {
  return `${card.storeId}\n${documentKeyOf(card)}`;
}

/** The texts of one field. */
export function fieldValuesOf({ card, body }: IndexDocument, field: Field): readonly string[] {
  const values: Record<Field, readonly string[]> = {
    name: [card.name],
    trigger: card.trigger,
    aliases: card.aliases,
    tags: card.tags,
    description: [card.description],
    body: [body],
  };
  return values[field];
}
