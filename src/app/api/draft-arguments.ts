import type { Check } from "./argument-check.ts";
import { SECTION_LABELS } from "../../memory/codec/replace-sections.ts";
import { RELATION_KINDS } from "../../memory/relation.ts";
import { closedRecord, data, either, flag, list, oneOf, optional, record, text } from "./argument-check.ts";

export const anyText: Check = text("a text", { allowsBlank: true });
export const words: Check = optional(list(anyText));
export const optionalText: Check = optional(anyText);
export const optionalFlag: Check = optional(flag);
/** A guard as a file has it, or that as text; `guard/` says what is wrong with one. */
export const guard: Check = either(
  "a guard as it stands in a file, or that as text",
  anyText,
  data,
  list(data),
);
const textOrNull = (what: string): Check =>
  either(what, anyText, (value, at) => (value === null ? undefined : anyText(value, at)));

const attributes = {
  tags: words,
  aliases: words,
  trigger: words,
  confidence: optionalText,
  source: optionalText,
  status: optionalText,
  salience: optionalText,
  scope: optional(
    either(
      "everywhere, or an object with paths and branch",
      oneOf(["everywhere"]),
      record("an object", { paths: words, branch: optionalText }),
    ),
  ),
  links: optional(list(record("an object with rel and to", { rel: anyText, to: anyText }))),
  claims: words,
  keepsRelativeDates: optionalFlag,
  guard: optional(guard),
};

/** What `write` takes. */
export const draft: Check = closedRecord("a memory: an object with type, description and body", {
  type: anyText,
  description: anyText,
  body: optionalText,
  quote: optionalText,
  reason: optionalText,
  name: optionalText,
  expires: optionalText,
  store: optionalText,
  relation: optional(record("an object with kind and to", { kind: oneOf(RELATION_KINDS), to: anyText })),
  ...attributes,
});

/** What `update` takes. */
export const changes: Check = closedRecord("the changes: an object with the fields that get another value", {
  type: optionalText,
  description: optionalText,
  body: optionalText,
  quote: optionalText,
  reason: optionalText,
  sections: optional(
    record(
      `an object with any of ${SECTION_LABELS.join(", ")}`,
      Object.fromEntries(SECTION_LABELS.map((label) => [label, optional(textOrNull("a text, or null"))])),
    ),
  ),
  expires: optional(textOrNull("an ISO date, or null")),
  ifHash: optionalText,
  ...attributes,
});
