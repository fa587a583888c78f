/** A name that a source file gives a meaning: a function, a type, a constant, a member. */
export interface Definition {
  name: string;
  /** The names of what it stands in, from the outside in: classes, modules, receivers. */
  container: readonly string[];
  kind: "function" | "type" | "variable";
  /** Where it begins and ends in the text, in characters; of a definition without a body its own statement. */
  start: number;
  end: number;
}
