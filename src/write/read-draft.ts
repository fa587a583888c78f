import type { Memory, MemoryDraft } from "../memory/memory.ts";
import { parseMemory } from "../memory/codec/parse-memory.ts";
import { fieldsOf } from "../memory/codec/front-matter.ts";
import type { Place } from "../here/place.ts";
import type { Problem } from "../machine/problem.ts";

/** Keys that a draft takes over as they were read, when the text has them, with the names that files use. */
const TAKEN: readonly (readonly [key: keyof Memory & keyof MemoryDraft, ...names: string[]])[] = [
  ["tags", "tags", "scopes"],
  ["aliases", "aliases"],
  ["trigger", "trigger", "triggers"],
  ["confidence", "confidence"],
  ["source", "source"],
  ["status", "status"],
  ["salience", "salience"],
  ["expires", "expires", "valid_until"],
  ["links", "links", "related"],
  ["claims", "claims"],
];

/** Keys of a memory file that a draft has no place for, and that heed does not give itself. */
const NOT_TAKEN: readonly string[] = ["guard", "guards", "decay_after"];

/** What a markdown text says as a draft. A key that the text does not have is absent. */
export interface DraftReading {
  /** Undefined when the text cannot be read at all. */
  draft: (Partial<MemoryDraft> & Pick<MemoryDraft, "description" | "body">) | undefined;
  problems: Problem[];
}

/** Reads a markdown memory as a draft; what a draft cannot carry becomes a warning. */
export function readDraft(place: Place, text: string): DraftReading {
  const file = "memory.md";
  const { memory, problems } = parseMemory(text, { file, storeId: "draft" }, place.types);
  if (!memory) return { draft: undefined, problems };
  const fields = fieldsOf(text);
  const isGiven = (...names: string[]): boolean => fields.get(...names) !== undefined;
  const { scope } = memory;
  const draft: MemoryDraft & Record<string, unknown> = {
    type: memory.type,
    description: memory.description,
    body: memory.body,
    ...(isGiven("name") && { name: memory.name }),
    ...Object.fromEntries(
      TAKEN.filter(([, ...names]) => isGiven(...names)).map(([key]) => [key, memory[key]]),
    ),
  };
  if (scope.paths.length > 0 || scope.branch !== undefined)
    draft.scope = { paths: scope.paths, ...(scope.branch !== undefined && { branch: scope.branch }) };
  for (const key of NOT_TAKEN.filter((name) => isGiven(name))) {
    problems.push({
      file,
      severity: "warning",
      code: "not-taken",
      message: `${key} is not taken over by a write`,
      remedy: `add it with heed edit once the memory is written`,
    });
  }
  return { draft, problems };
}
