import { z } from "zod";

/** Input fields that several tools share. Texts are bounded: what a model sends is hostile input like any other. */
type Words = z.ZodOptional<z.ZodArray<z.ZodString>>;
type Optional<T> = z.ZodOptional<z.ZodType<T>>;

const words = (what: string): Words => z.array(z.string().min(1).max(120)).max(20).optional().describe(what);
const oneOf = <T extends string>(...values: [T, ...T[]]): Optional<T> => z.enum(values).optional();

export const handleField: z.ZodString = z
  .string()
  .min(1)
  .max(200)
  .describe("Handle of a memory: its name, heed:name or id");

export const reasonField: z.ZodString = z
  .string()
  .min(1)
  .max(500)
  .describe("Why, in one sentence; it is kept");

export const descriptionField: z.ZodString = z
  .string()
  .min(1)
  .max(400)
  .describe("The memory in one line: what selection reads and a rule's statement shows");

export const bodyField: z.ZodString = z.string().min(1).max(20_000);

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
export const claimsField: Words = z
  .array(z.string().min(1).max(500))
  .max(20)
  .optional()
  .describe(
    "What must hold in the repository: path:src/a.ts, path:src/a.ts::symbol, path:src/a.ts::NAME=5, script:lint, dep:react@^18, config:a.json#key=true, absent:src/old.ts, until:2027-01-31. Paths in code spans are added by themselves",
  );

interface Scope {
  paths?: string[] | undefined;
  branch?: string | undefined;
}

type Relation = "supersedes" | "contradicts" | "related" | "extends";

/** What a writer may say about a memory besides its text. */
export const attributeShape: {
  tags: Words;
  trigger: Words;
  aliases: Words;
  confidence: Optional<"low" | "medium" | "high">;
  source: Optional<"instructed" | "observed" | "inferred" | "referenced">;
  salience: Optional<"low" | "medium" | "high">;
  scope: Optional<"everywhere" | Scope>;
  links: Optional<{ rel: Relation; to: string }[]>;
  claims: Words;
} = {
  tags: words("3-6 concrete nouns"),
  trigger: words("Words, flags or error texts that should bring it up"),
  aliases: words("Other names of the same thing"),
  confidence: oneOf("low", "medium", "high"),
  source: oneOf("instructed", "observed", "inferred", "referenced").describe(
    "instructed: the user said so; inferred: you concluded it",
  ),
  salience: oneOf("low", "medium", "high"),
  scope: z
    .union([
      z.literal("everywhere"),
      z.object({
        paths: z.array(z.string().min(1).max(300)).max(20).optional(),
        branch: z.string().min(1).max(200).optional(),
      }),
    ])
    .optional()
    .describe("Where it applies (path globs, branch); default: as its type says"),
  links: z
    .array(
      z.object({
        rel: z.enum(["supersedes", "contradicts", "related", "extends"]),
        to: z.string().min(1).max(200),
      }),
    )
    .max(20)
    .optional(),
  claims: claimsField,
};
