/** A memory of a small store that a person can read in a minute. */
export interface NamedMemory {
  type: "user" | "reference" | "project" | "solution" | "feedback";
  name: string;
  description: string;
  body?: string;
  trigger?: readonly string[];
}

/** A prompt, and what a person who knows the store would want it to bring: nothing, when `injected` is absent. */
export interface RelevanceCase {
  prompt: string;
  injected?: readonly string[];
}

/** Cases over one store. They were written before they were first run; what fails stays in. */
export interface RelevanceSet {
  store: readonly NamedMemory[];
  cases: readonly RelevanceCase[];
}
