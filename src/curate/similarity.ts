import { withoutQuotations } from "../memory/codec/quotation.ts";
import { differenceOf, termsOfStatement } from "../recall/difference.ts";
import { tellsOfChange } from "../recall/are-versions.ts";
import { rememberLast } from "../recall/remember-last.ts";
import { relationOf } from "../recall/statement-relation.ts";

/**
 * From here on two memories are shown to the writer as near-duplicates: they say the same, or otherwise of the same.
 */
export const NEAR_DUPLICATE: number = 0.5;

/** How two memories relate by their words alone. */
export interface Similarity {
  /** 0 to 1; below {@link NEAR_DUPLICATE} they are two matters, however alike they look. */
  value: number;
  /** What makes them differ although they speak of the same: one denies, or gives another value. */
  opposition: string | undefined;
}

interface Text {
  description: string;
  body: string;
}

/** Two matters are never more alike than this. */
const TWO_MATTERS = 0.45;
/** Bodies with at least so many terms, nearly all of them in both, are one text under two headings. */
const ONE_TEXT = { terms: 6, share: 0.8 };

/**
 * Compares two memories by their statements; where those are headings of two matters, by their texts: one text under
 * two headings is one memory.
 */
export function similarityOf(a: Text, b: Text): Similarity {
  const { relation, likeness, differs } = relationOf(a.description, b.description);
  const round = (value: number): number => Math.round(value * 100) / 100;
  if (relation === "other")
    return { value: round(Math.max(NEAR_DUPLICATE, likeness)), opposition: differenceIn(differs) };
  if (tellsOfChange(a.description, b.description) || tellsOfChange(b.description, a.description))
    return { value: NEAR_DUPLICATE, opposition: "one tells that what the other says has changed" };
  if (relation === "same") return { value: round(Math.max(NEAR_DUPLICATE, likeness)), opposition: undefined };
  const share = sharedText(withoutQuotations(a.body), withoutQuotations(b.body));
  return share >= ONE_TEXT.share
    ? { value: round(share), opposition: undefined }
    : { value: round(Math.min(TWO_MATTERS, likeness)), opposition: undefined };
}

function differenceIn({ first, second }: { first: string; second: string }): string {
  return first === "" ? "one denies what the other says" : `"${first}" against "${second}"`;
}

const termsOf = rememberLast(termsOfStatement);

/** The share of terms that two texts have in common; 0 where each has a number, an address or an id of its own. */
function sharedText(a: string, b: string): number {
  const { shared, ofFirst, ofSecond } = differenceOf(termsOf(a), termsOf(b));
  const hasValue = (own: ReadonlyMap<string, string>): boolean =>
    [...own.keys()].some((term) => /[\d./]/.test(term));
  if (shared.size < ONE_TEXT.terms || (hasValue(ofFirst) && hasValue(ofSecond))) return 0;
  return shared.size / (shared.size + ofFirst.size + ofSecond.size);
}
