import { SECTION_LABELS } from "../../memory/codec/replace-sections.ts";
import type { Check } from "./argument-check.ts";
import { either, optional, record, text } from "./argument-check.ts";

const anyText = text("a text", { allowsBlank: true });
const textOrNull = either("a text, or null", anyText, (value, at) =>
  value === null ? undefined : anyText(value, at),
);

/** What `sections` of a change may be: texts, or null, by the labels of a text's parts. */
export const sectionChanges: Check = optional(
  record(
    `an object with any of ${SECTION_LABELS.join(", ")}`,
    Object.fromEntries(SECTION_LABELS.map((label) => [label, optional(textOrNull)])),
  ),
);
