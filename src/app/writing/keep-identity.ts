import type { MemoryAmendment } from "../../memory/codec/amend-memory.ts";
import { amendMemory } from "../../memory/codec/amend-memory.ts";
import { FIELD_KEYS } from "../../memory/codec/field-keys.ts";
import type { Memory } from "../../memory/memory.ts";
import { fieldsOf } from "../../memory/codec/read-front-matter.ts";

/** What says which memory it is and where it came from: nothing that an edit of its text is about. */
const IDENTITY = ["name", "created", "source", "origin"] as const;

/**
 * An edited text with the identity of the memory that it replaces: its id always, the other keys where the text has
 * lost them. A text without any front matter is the memory's new body. Text that cannot be read comes back as it is.
 */
export function keepIdentity(edited: string, before: string, memory: Memory): string {
  if (!/^\uFEFF?---/.test(edited)) return amendMemory(before, { body: edited.trim() });
  const [old, given] = [fieldsOf(before), fieldsOf(edited)];
  const lost = IDENTITY.filter(
    (key) => old.get(...FIELD_KEYS[key]) !== undefined && given.get(...FIELD_KEYS[key]) === undefined,
  );
  const kept: MemoryAmendment = Object.fromEntries(lost.map((key) => [key, memory[key]]));
  const hasOwnId = old.get(...FIELD_KEYS.id) !== undefined;
  try {
    return amendMemory(edited, { ...kept, ...(hasOwnId && { id: memory.id }) });
  } catch {
    return edited;
  }
}
