import type { MemoryDraft } from "../memory/memory-draft.ts";
import { isAboutUser } from "../memory/about-user.ts";
import type { Gate, GateContext, GateAnswer } from "./gate.ts";

/**
 * Holds back what the user has not said themself: statements about the user, and rules that nobody gave. A person's own
 * write is their word; nothing else is, and no configuration changes that.
 */
export const aboutUserGate: Gate = {
  name: "user-claim",
  check(draft: MemoryDraft, context: GateContext): GateAnswer {
    if (context.isConfirmed || context.actor.kind === "person") return {};
    const isStatement = context.policy?.needs.includes("confirmation") === true;
    if (isStatement) return { pending: "it is a statement about the user" };
    const source = draft.source ?? context.policy?.defaults.source;
    if (source !== "instructed" && isAboutUser(`${draft.description}\n${draft.body}`, context.userNames))
      return {
        pending: `it says something about the user that the user did not say (source: ${source ?? "unknown"})`,
      };
    // A rule is in force in every session: one that came in through an import or a tool's output must not be.
    if (context.policy?.injection === "always" && context.actor.kind !== "model")
      return {
        pending: `a rule that came by ${context.actor.kind === "import" ? "an import" : "a hook"} is nobody's word yet`,
      };
    return {};
  },
};
