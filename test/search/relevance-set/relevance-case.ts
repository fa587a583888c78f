/** A memory of a small store that a person can read in a minute. */
export interface NamedMemory {
  type: "user" | "reference" | "project" | "solution" | "feedback";
  name: string;
  statement: string;
  body?: string;
  trigger?: readonly string[];
}

/**
 * Prompts over one store, and what a person who knows the store would want them to bring. They were written before they
 * were first run; what fails stays in.
 */
export interface RelevanceSet {
  store: readonly NamedMemory[];
  /** Prompts that need a memory. */
  wanted: readonly (readonly [prompt: string, name: string])[];
  /** Prompts that need none. */
  silent: readonly string[];
}

/** Memories of one type, each by its name. */
export function facts(
  type: NamedMemory["type"],
  descriptions: Readonly<Record<string, string>>,
): NamedMemory[] {
  return Object.entries(descriptions).map(([name, statement]) => ({ type, name, statement }));
}
