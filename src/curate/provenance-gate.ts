import type { MemoryDraft } from "../memory/memory-draft.ts";
import type { Gate, GateContext, GateAnswer } from "./gate.ts";
import { wordsOf } from "../recall/words-of.ts";

/**
 * Keeps what a model read from becoming what the user ordered. A rule is in force in every session, so a model may write
 * one down only when the user gave it: not one that it inferred, not one that was a fact before, and none of which the
 * user said no word in this session, which is how text of a web page or of a tool's output would come. Such a rule waits
 * for a person's word.
 */
export const provenanceGate: Gate = {
  name: "provenance",
  check(draft: MemoryDraft, context: GateContext): GateAnswer {
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

/**
 * A rule is the user's when one turn of theirs said so much of it. Of the rules that people stated in real turns 95 % pass
 * (36 of 38); of rules that have nothing to do with a session 2 % do after twenty turns, where any word in common would let
 * 98 % pass.
 */
const MIN_SHARE = 0.25;
/** What is added to a rule is mostly the model's wording of it. */
const MIN_ADDED_SHARE = 0.15;
const MIN_WORDS = 2;

/** Where no hook tells heed what the user says, it is the model's word that they said it. */
function isUnheardOf(draft: MemoryDraft, { userTurns = [], current, hearsUser }: GateContext): boolean {
  if (userTurns.length === 0) return hearsUser === true;
  const [text, minShare] = current
    ? ([addedText(draft, current.description, current.body), MIN_ADDED_SHARE] as const)
    : ([draft.description, MIN_SHARE] as const);
  const words = [...wordsOf(text)];
  if (words.length === 0) return false;
  const needed = Math.max(Math.min(MIN_WORDS, words.length), minShare * words.length);
  return !userTurns.some((turn) => {
    const said = wordsOf(turn);
    return words.filter((word) => said.has(word)).length >= needed;
  });
}

function addedText(draft: MemoryDraft, description: string, body: string): string {
  const known = new Set(`${description}\n${body}`.split(/\s+/));
  return `${draft.description}\n${draft.body}`
    .split(/\s+/)
    .filter((word) => !known.has(word))
    .join(" ");
}
