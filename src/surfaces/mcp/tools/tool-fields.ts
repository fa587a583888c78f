import { z } from "zod";
import { LIMITS, WORDS } from "../../../memory/limits.ts";

/**
 * Input fields that several tools share. Where a gate says what is wrong and what would pass, the schema tells the limit
 * and leaves the refusal to the gate: a schema's own would name a number alone.
 */
type Words = z.ZodOptional<z.ZodArray<z.ZodString>>;
type Optional<T> = z.ZodOptional<z.ZodType<T>>;

/** A text whose limit a gate watches. */
export const gatedText = (maxLength: number): z.ZodString => z.string().meta({ maxLength });
const gatedList = (item: z.ZodString, maxItems: number): z.ZodArray<z.ZodString> =>
  z.array(item).meta({ maxItems });

const words = (what: string): Words =>
  gatedList(gatedText(LIMITS.itemChars), LIMITS.listItems).optional().describe(what);
const oneOf = <T extends string>(values: readonly T[]): Optional<T> => z.enum(values).optional();

export const handleField: z.ZodString = z
  .string()
  .min(1)
  .max(LIMITS.handleChars)
  .describe("Handle of a memory: its name, heed:name or id");

export const reasonField: z.ZodString = z
  .string()
  .min(1)
  .max(LIMITS.reasonChars)
  .describe("Why, in one sentence; it is kept");

export const noteField: z.ZodString = z.string().min(1).max(LIMITS.reasonChars);

export const typeField: z.ZodString = gatedText(LIMITS.itemChars).describe("The type, e.g. feedback");

export const descriptionField: z.ZodString = gatedText(LIMITS.descriptionChars).describe(
  "The memory in one line: what selection reads and a rule's statement shows",
);

export const bodyField: z.ZodString = gatedText(LIMITS.bodyChars);

/** What narrows a search or a list down. */
export const filterShape: {
  types: Words;
  tags: Words;
  since: z.ZodOptional<z.ZodString>;
  until: z.ZodOptional<z.ZodString>;
  everywhere: z.ZodOptional<z.ZodBoolean>;
} = {
  types: words("e.g. feedback, project, reference, solution, user"),
  tags: words("All of these tags"),
  since: z.string().max(40).optional().describe("ISO date: changed at or after"),
  until: z.string().max(40).optional().describe("ISO date: changed before"),
  everywhere: z.boolean().optional().describe("Also memories of other repositories and branches"),
};

/** Claims about the repository at hand. */
export const claimsField: Words = gatedList(gatedText(LIMITS.claimChars), LIMITS.claims)
  .optional()
  .describe(
    "What must hold in the repository: path:src/a.ts, path:src/a.ts::symbol, path:src/a.ts::NAME=5, script:lint, dep:react@^18, config:a.json#key=true, absent:src/old.ts, until:2027-01-31. Paths in code spans are added by themselves",
  );

interface Scope {
  paths?: string[] | undefined;
  branch?: string | undefined;
}

type Word<Field extends keyof typeof WORDS> = (typeof WORDS)[Field][number];

/** What a writer may say about a memory besides its text. */
export const attributeShape: {
  tags: Words;
  trigger: Words;
  aliases: Words;
  confidence: Optional<Word<"confidence">>;
  source: Optional<Word<"source">>;
  salience: Optional<Word<"salience">>;
  scope: Optional<"everywhere" | Scope>;
  links: Optional<{ rel: Word<"linkRelation">; to: string }[]>;
  claims: Words;
} = {
  tags: words("3-6 concrete nouns"),
  trigger: words("Words, flags or error texts that should bring it up"),
  aliases: words("Other names of the same thing"),
  confidence: oneOf(WORDS.confidence),
  source: oneOf(WORDS.source).describe("instructed: the user said so; inferred: you concluded it"),
  salience: oneOf(WORDS.salience),
  scope: z
    .union([
      z.literal("everywhere"),
      z.strictObject({
        paths: z.array(z.string().min(1).max(LIMITS.pathChars)).max(LIMITS.paths).optional(),
        branch: z.string().min(1).max(200).optional(),
      }),
    ])
    .optional()
    .describe("Where it applies (path globs, branch); default: as its type says"),
  links: z
    .array(z.strictObject({ rel: z.enum(WORDS.linkRelation), to: z.string().min(1).max(LIMITS.handleChars) }))
    .meta({ maxItems: LIMITS.listItems })
    .optional(),
  claims: claimsField,
};
