import { handlesIn } from "../memory/handle.ts";
import { deniesAlone } from "./quoted-clause.ts";
import { contentOf, namesMemory } from "./restates.ts";
import { holdsSubstance } from "./users-words.ts";

/** How much of a statement a sentence holds that puts it to the user. */
const ASKED_SHARE = 0.5;
const SENTENCE = /[^.!?\n]*(?:[.:](?=\S)[^.!?\n]*)*[.!?\n]?/g;
/** Words of a question that does not say more than that something is to be kept, or to go. */
const PUTS =
  /(?<!\p{L})(?:want|shall|should|would|may|memor(?:y|ies)|rules|ask|add|make|put|forget|drop|delete|remove|permanent(?:ly)?|sessions?|soll|ich|mir|als|vergessen|löschen|dois|je|veux|tu|oublier|debo|quieres|olvidar?)(?!\p{L})/giu;

/**
 * Whether a message of the agent puts one memory to the user: its last question names it, says it, or says nothing but
 * whether it is to be so, beside a sentence that says it; where it asks nothing, any sentence may.
 */
export function asksAbout(
  message: string,
  { name, description }: { name: string; description: string },
): boolean {
  const [verb = ""] = contentOf(description);
  const isDenied = deniesAlone("x", description);
  // "Want me to write unit tests?" does not ask whether there are to be none.
  const puts = (text: string): boolean =>
    handlesIn(text).some((handle) => handle === name || handle === `forget-${name}`) ||
    (name.includes("-") && text.includes(name)) ||
    (holdsSubstance(text, description, ASKED_SHARE) &&
      !deniesAlone(text, description) &&
      (isDenied || contentOf(text).includes(verb)));
  const sentences = message.match(SENTENCE) ?? [];
  const question = sentences.findLast((sentence) => sentence.trimEnd().endsWith("?"));
  if (question === undefined) return sentences.some(puts);
  const own = question.replace(PUTS, " ");
  if (puts(question) || namesMemory(own, `${name.replaceAll("-", " ")} ${description}`)) return true;
  return contentOf(own).length === 0 && sentences.some(puts);
}
