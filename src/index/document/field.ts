/** The indexed fields of a memory, in the order in which segments store them (part of the file format). */
export const FIELDS = ["name", "trigger", "aliases", "tags", "description", "body"] as const;
export type Field = (typeof FIELDS)[number];

export const FIELD_COUNT: number = FIELDS.length;
/** Place of the body in {@link FIELDS}; most postings are in the body alone and have a shorter code. */
export const BODY_FIELD = 5;
