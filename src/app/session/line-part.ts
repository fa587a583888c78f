import type { ContextPart } from "../../inject/context-parts.ts";
import type { PartTold } from "./opening-part.ts";

/** A part of heed's own words, which takes just what they take; undefined for none. */
export function linePart(text: string): ContextPart<PartTold> | undefined {
  if (text === "") return undefined;
  return {
    budgetChars: text.length,
    reservedChars: text.length,
    render: ({ budgetChars }) =>
      text.length > budgetChars ? undefined : { text, told: { decisions: [], memories: [] } },
  };
}
