import { LIMITS, WORDS } from "../../memory/limits.ts";
import type { Schema } from "./schema.ts";
import { anyText, data, either, flag, gatedList, gatedText, gatedWord } from "./schema.ts";
import { list, object, oneOf, optional, text } from "./schema.ts";
import type { NewMemory } from "./written-memory.ts";

/** A handle of a memory. */
export const HANDLE: Schema<string> = text("the name of a memory, heed:name, or its id", LIMITS.handleChars);

/** How something was checked. */
export const NOTE: Schema<string> = text(undefined, LIMITS.reasonChars);

/**
 * The fields of a memory as a writer gives them: what the façade checks, the tools of the server tell, and the page asks
 * for. Where a gate watches a limit it is told alone, since the gate says what would pass.
 */
export const MEMORY_FIELDS: {
  readonly [Name in keyof NewMemory]-?: Schema<Exclude<NewMemory[Name], undefined>>;
} = {
  type: gatedText(LIMITS.itemChars),
  name: gatedText(LIMITS.nameChars),
  description: gatedText(LIMITS.descriptionChars),
  body: gatedText(LIMITS.bodyChars),
  quote: gatedText(LIMITS.reasonChars),
  reason: gatedText(LIMITS.reasonChars),
  tags: gatedList(LIMITS.listItems, LIMITS.itemChars),
  aliases: gatedList(LIMITS.listItems, LIMITS.itemChars),
  trigger: gatedList(LIMITS.listItems, LIMITS.itemChars),
  confidence: gatedWord(WORDS.confidence),
  source: gatedWord(WORDS.source),
  status: gatedWord(WORDS.status),
  salience: gatedWord(WORDS.salience),
  scope: either<"everywhere" | { paths?: string[]; branch?: string }>(
    "everywhere, or an object with paths and branch",
    oneOf("everywhere"),
    object({
      paths: optional(gatedList(LIMITS.paths, LIMITS.pathChars)),
      branch: optional(gatedText(200)),
    }),
  ),
  expires: gatedText(40),
  links: list(object({ rel: gatedWord(WORDS.linkRelation), to: gatedText(LIMITS.handleChars) })),
  claims: gatedList(LIMITS.claims, LIMITS.claimChars),
  store: gatedWord(WORDS.storeKind),
  relation: object({ kind: oneOf(...WORDS.relation), to: gatedText(LIMITS.handleChars) }),
  keepsRelativeDates: flag,
  guard: either<Record<string, unknown> | string>(
    "a guard as it stands in a file, or that as text",
    anyText,
    data,
    list(data) as Schema<never>,
  ),
};
