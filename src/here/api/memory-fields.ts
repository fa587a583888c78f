import { LIMITS } from "../../memory/limits.ts";
import { type NewMemory, RELATION_KINDS } from "../../memory/memory.ts";
import { type Field, DRAFT_FIELDS, MEMORY_FIELDS as FILE_FIELDS } from "../../memory/memory-fields.ts";
import {
  type Schema,
  anyText,
  data,
  either,
  flag,
  gatedList,
  gatedText,
  gatedWord,
  list,
  object,
  oneOf,
  optional,
  text,
  described,
} from "./schema.ts";

/** A handle of a memory. */
export const HANDLE: Schema<string> = text("the name of a memory, heed:name, or its id", LIMITS.handleChars);

/** How something was checked. */
export const NOTE: Schema<string> = text(undefined, LIMITS.reasonChars);

/** Fields whose parts are not all alike. */
const OWN_SCHEMAS: Readonly<Record<string, Schema>> = {
  scope: either<unknown>(
    "everywhere, or an object with paths, branch and worktree",
    oneOf("everywhere"),
    object({
      paths: optional(gatedList(LIMITS.paths, LIMITS.pathChars)),
      branch: optional(gatedText(200)),
      worktree: optional(flag),
    }),
  ),
  relation: object({ kind: oneOf(...RELATION_KINDS), to: gatedText(LIMITS.handleChars) }),
  guard: either<unknown>("a guard as in a rule's file, or that as text", anyText, data, list(data)),
};

/**
 * The fields of a memory that a writer gives, as the tables of fields say: what the façade checks, what tools, flags and
 * the page ask for. A gate watches the limits, since it says what would pass.
 */
export const MEMORY_FIELDS: {
  readonly [Name in keyof NewMemory]-?: Schema<Exclude<NewMemory[Name], undefined>>;
} = Object.fromEntries(
  Object.entries<Field>({ ...FILE_FIELDS, ...DRAFT_FIELDS }).flatMap(([name, field]) =>
    field.givenBy !== "heed" ? [[name, described(OWN_SCHEMAS[name] ?? schemaOf(field), field.doc)]] : [],
  ),
) as never;

function schemaOf({ kind, words = [], maxChars = LIMITS.itemChars, maxItems }: Field): Schema {
  if (kind === "word") return gatedWord(words);
  if (kind === "list") return gatedList(maxItems ?? LIMITS.listItems, maxChars);
  if (kind === "links") return list(object({ rel: gatedWord(words), to: gatedText(LIMITS.handleChars) }));
  if (kind === "flag") return flag;
  return gatedText(kind === "time" ? 40 : maxChars);
}
