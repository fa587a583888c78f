import type { MemoryDraft } from "../memory/memory-draft.ts";
import type { Gate, GateContext, GateVerdict } from "./gate.ts";
import { wordsOf } from "../recall/words-of.ts";

/**
 * Keeps what a model read from becoming what the user ordered. A rule is in force in every session, so a model may write
 * one down only when the user gave it: not one that it inferred, not one that was a fact before, and none of which the
 * user said no word in this session, which is how text of a web page or of a tool's output would come. Such a rule waits
 * for a person's word.
 */
export const provenanceGate: Gate = {
  name: "provenance",
  check(draft: MemoryDraft, context: GateContext): GateVerdict {
    const { policy, types, current } = context;
    if (policy?.injection !== "always" || context.isConfirmed || context.actor.kind !== "model") return {};
    const source = draft.source ?? policy.defaults.source;
    if (source !== "instructed")
      return { pending: `it is a rule that the user did not give (source: ${source})` };
    if (current && types.get(current.type)?.injection !== "always")
      return { pending: `it was a ${current.type} memory, and would become a rule` };
    if (isUnheardOf(draft, context))
      return { pending: "it is a rule, and nothing that the user said in this session is about it" };
    return {};
  },
};

/** Nothing is known of what the user said: then it is the model's word that they did. */
function isUnheardOf(draft: MemoryDraft, { userTurns = [], current }: GateContext): boolean {
  if (userTurns.length === 0) return false;
  const said = wordsOf(userTurns.join("\n"));
  const text = current
    ? addedText(draft, current.description, current.body)
    : `${draft.description}\n${draft.body}`;
  const words = [...wordsOf(text)];
  return words.length > 0 && !words.some((word) => said.has(word));
}

function addedText(draft: MemoryDraft, description: string, body: string): string {
  const known = new Set(`${description}\n${body}`.split(/\s+/));
  return `${draft.description}\n${draft.body}`
    .split(/\s+/)
    .filter((word) => !known.has(word))
    .join(" ");
}
