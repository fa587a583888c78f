import { canonicalBody, MAX_FRONT_MATTER_CHARS } from "./front-matter.ts";
import { HeedError } from "../../errors/heed-error.ts";
import type { Memory } from "../memory.ts";
import { TypeTable } from "../memory-type.ts";
import { renderInline } from "./yaml-text.ts";

/**
 * A memory as the text of its file, in canonical form: name and description at the top level, the other keys under
 * `metadata` with the type first, lists and maps in flow style. Keys that say no more than the type's default are
 * left out, except for types that `types` does not know, whose defaults nobody else may know either.
 *
 * @throws HeedError `invalid-input` when the front matter would be too long to be read again.
 */
export function encodeMemory(memory: Memory, types: TypeTable = new TypeTable()): string {
  const lines = [
    `name: ${renderInline(memory.name)}`,
    `description: ${renderInline(memory.description)}`,
    "metadata:",
    ...Object.entries(metadataOf(memory, types)).map(([key, value]) => `  ${key}: ${renderInline(value)}`),
  ];
  const yaml = `${lines.join("\n")}\n`;
  if (yaml.length > MAX_FRONT_MATTER_CHARS - 8) {
    throw new HeedError(
      "invalid-input",
      `the front matter of "${memory.name.slice(0, 80)}" has ${yaml.length} characters, ${MAX_FRONT_MATTER_CHARS} at most: ` +
        "move text from description, tags or guard to the body",
      { argument: "memory", value: yaml.length },
    );
  }
  const body = canonicalBody(memory.body);
  return `---\n${yaml}---\n${body}${body === "" ? "" : "\n"}`;
}

/** The keys under `metadata`, in the order of the file format. */
function metadataOf(memory: Memory, types: TypeTable): Record<string, unknown> {
  const defaults = types.get(memory.type)?.defaults;
  const { repo, branch, paths } = memory.scope;
  const all: Record<string, unknown> = {
    type: memory.type,
    id: memory.id,
    created: memory.created,
    updated: memory.updated,
    verified: memory.verified,
    tags: memory.tags,
    confidence: memory.confidence === defaults?.confidence ? undefined : memory.confidence,
    source: memory.source === defaults?.source ? undefined : memory.source,
    status: memory.status === defaults?.status ? undefined : memory.status,
    salience: memory.salience === defaults?.salience ? undefined : memory.salience,
    scope: withoutAbsent({ repo, branch, paths }),
    trigger: memory.trigger,
    aliases: memory.aliases,
    expires: memory.expires,
    decay_after: memory.decayAfter,
    claims: memory.claims,
    guard: memory.guard,
    links: memory.links,
    origin: withoutAbsent({ ...memory.origin }),
  };
  return withoutAbsent(all) ?? {};
}

/** The record without undefined values and empty lists; undefined when nothing is left. */
function withoutAbsent(record: Record<string, unknown>): Record<string, unknown> | undefined {
  const entries = Object.entries(record).filter(
    ([, value]) => value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0),
  );
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
