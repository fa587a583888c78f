import { holdsSubstance } from "../../curate/users-words.ts";
import { asksToWithdraw, nameOfRemoval } from "../../curate/withdrawing-turn.ts";
import { handlesIn } from "../../memory/handle.ts";
import type { SessionRecord } from "../records/session-state.ts";
import type { Situation } from "./situation.ts";

/** How much of a rule a question holds that is about it. */
const ASKED_SHARE = 0.5;

/** What a session notes of an agent's closing message whose last question asks the user whether a rule is to go. */
export async function questionToForget(
  message: string,
  look: () => Promise<Situation>,
): Promise<SessionRecord[]> {
  const question = message.match(/[^.!?\n]*(?:[.:](?=\S)[^.!?\n]*)*\?/g)?.at(-1) ?? "";
  if (!asksToWithdraw(question)) return [];
  const { collection, place } = await look();
  const rules = collection.types.all().filter(({ injection }) => injection === "always");
  const handles = handlesIn(question);
  const names = collection
    .cards(rules.map(({ name }) => name))
    .filter(
      ({ name, description }) => handles.includes(name) || holdsSubstance(question, description, ASKED_SHARE),
    )
    .map(({ name }) => nameOfRemoval(name));
  // A yes to a question about two rules would be a yes to neither.
  return names.length === 1 ? [{ kind: "asked", time: place.now().toISOString(), names }] : [];
}
