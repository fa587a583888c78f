import { z } from "zod";
import { LIMITS } from "../../../memory/limits.ts";

/**
 * Input fields that several tools share. Where a gate says what is wrong and what would pass, the schema tells the limit
 * and leaves the refusal to the gate: a schema's own would name a number alone.
 */
type Words = z.ZodOptional<z.ZodArray<z.ZodString>>;

/** A text whose limit a gate watches. */
export const gatedText = (maxLength: number): z.ZodString => z.string().meta({ maxLength });
const gatedList = (item: z.ZodString, maxItems: number): z.ZodArray<z.ZodString> =>
  z.array(item).meta({ maxItems });

export const words = (what: string): Words =>
  gatedList(gatedText(LIMITS.itemChars), LIMITS.listItems).optional().describe(what);

export const handleField: z.ZodString = z
  .string()
  .min(1)
  .max(LIMITS.handleChars)
  .describe("Handle of a memory: its name, heed:name or id");

export const noteField: z.ZodString = z.string().min(1).max(LIMITS.reasonChars);

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

/** Where a memory applies. */
export const scopeField: z.ZodOptional<
  z.ZodType<"everywhere" | { paths?: string[] | undefined; branch?: string | undefined }>
> = z
  .union([
    z.literal("everywhere"),
    z.strictObject({
      paths: z.array(z.string().min(1).max(LIMITS.pathChars)).max(LIMITS.paths).optional(),
      branch: z.string().min(1).max(200).optional(),
    }),
  ])
  .optional()
  .describe("Where it applies (path globs, branch); default: as its type says");
