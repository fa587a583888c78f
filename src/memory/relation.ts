/**
 * How a new memory stands to one that it resembles, as its writer says:
 * - `replaces`: it is a change of that memory, whose history keeps the old text.
 * - `adds`: both hold, and the new one links to the other (`extends`).
 * - `distinct`: both hold, of two matters.
 */
export const RELATION_KINDS = ["replaces", "adds", "distinct"] as const;
export type RelationKind = (typeof RELATION_KINDS)[number];

/** A relation, and the handle of the other memory. */
export interface Relation {
  kind: RelationKind;
  to: string;
}
