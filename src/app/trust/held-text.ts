import type { Actor } from "../../memory/actor.ts";
import { findHostile } from "../../screening/find-hostile.ts";
import { HOSTILE_WORDS } from "../../screening/hostile-pattern.ts";
import type { Memory } from "../../memory/memory.ts";

/** Whether a text may be shown to a person alone, and is to be shown to somebody else. */
export function isHeldFrom(
  reader: Actor | undefined,
  { name, description, body }: Pick<Memory, "name" | "description" | "body">,
): boolean {
  return reader?.kind !== "person" && findHostile(`${name}\n${description}\n${body}`).length > 0;
}

/** The same without what it says: a model that reads it would read what is held back from it. */
export function withheld<T extends Pick<Memory, "description" | "body">>(memory: T): T {
  const kinds = findHostile(`${memory.description}\n${memory.body}`).map(({ kind }) => HOSTILE_WORDS[kind]);
  return {
    ...memory,
    description: `(held back: ${kinds.join("; ") || "its name says more than a name"})`,
    body: "",
  };
}
