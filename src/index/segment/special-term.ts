/**
 * Terms that no text can produce: they start with a control character and list documents by an exact property.
 * The one dictionary so also answers "which documents are feedback", "who links to this id", "where is this key".
 */
export const SPECIAL = {
  key: "\u0001",
  id: "\u0002",
  name: "\u0003",
  type: "\u0004",
  status: "\u0005",
  tag: "\u0006",
  scope: "\u0007",
  linkTo: "\u0008",
  /** What a memory has, of {@link CARD_PARTS}. */
  has: "\u000f",
  /** A word as it is written, where its stem does not start with it: lets `migrati*` find the stem `migrat`. No documents. */
  surface: "\u000e",
} as const;

/** Whether a dictionary term lists documents by a property rather than words of a text. */
export const isSpecialTerm = (term: string): boolean => term.charCodeAt(0) < 0x20;
