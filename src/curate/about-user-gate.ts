import type { MemoryDraft } from "../memory/memory-draft.ts";
import type { Gate, GateContext, GateAnswer } from "./gate.ts";

/**
 * Holds back what only the user can say, by type alone: statements about the user, and rules that came in through a hook or
 * an import. A person's own write is their word.
 */
export const aboutUserGate: Gate = {
  name: "user-claim",
  check(_draft: MemoryDraft, { isConfirmed, actor, policy }: GateContext): GateAnswer {
    if (isConfirmed || actor.kind === "person") return {};
    if (policy?.needs.includes("confirmation") === true)
      return { pending: "it is a statement about the user" };
    // A rule is in force in every session: one that came in through an import or a tool's output must not be.
    if (policy?.injection === "always" && actor.kind !== "model")
      return {
        pending: `a rule that came by ${actor.kind === "import" ? "an import" : "a hook"} is nobody's word yet`,
      };
    return {};
  },
};
