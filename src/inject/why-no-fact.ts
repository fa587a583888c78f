import type { Injection } from "../memory/memory-type.ts";

/** Why a type's memories are not told on a prompt, if they are not. */
export function whyNoFact(injection: Injection | undefined): string | undefined {
  switch (injection) {
    case "always":
      return "a rule: told when a context begins";
    case "resume":
      return "an episode: told when a session begins";
    case "never":
      return "its type is told only when asked for";
    case undefined:
      return "its type is not declared";
    default:
      return undefined;
  }
}
