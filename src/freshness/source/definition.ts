/** A name that a source file gives a meaning: a function, a type, a constant, a member. */
export interface Definition {
  name: string;
  /** The names of what it stands in, from the outside in: classes, modules, receivers. */
  container: readonly string[];
  kind: "function" | "type" | "variable";
  /** Where it begins and ends in the text, in characters; without a body, its own statement. */
  start: number;
  end: number;
}

/** What a statement defines, before the blocks around it are known. */
export interface Found extends Omit<Definition, "kind"> {
  /** `scope`: it defines nothing and adds its name to what stands in it (`impl Router`, `extension Router`). */
  kind: Definition["kind"] | "scope";
}
