import { wordsOf } from "../recall/words-of.ts";
import { isEmptyWord, wordsIn } from "./agreement.ts";
import { deniesAlone } from "./quoted-clause.ts";

/** Words that limit what is said: an agreement that has others, or fewer, agrees to something else. */
const LIMITS =
  /(?<!\p{L})(?:without|w\/o|only|just|instead|except|unless|until|if|when|before|after|ohne|nur|statt|außer|bis|wenn|sans|seulement|sauf|jusqu|sin|solo|sólo|salvo|hasta)(?!\p{L})/giu;
/** Words that deny: whether both texts do is looked at apart from what they speak of. */
const DENIALS =
  /(?<!\p{L})(?:no|not|never|ever|don['’]?t|doesn['’]?t|won['’]?t|can['’]?t|cannot|nicht|nie|niemals|kein\p{L}*|ne|pas|jamais|aucune?|nunca|jamás|ningún)(?!\p{L})/giu;
/** The other side of a comparison, which goes without saying. */
const COMPARAND = /\s(?:over|than|instead of|rather than)\s.*$/iu;
/** What it is called that is agreed to. */
const MEMORY = /(?<!\p{L})(?:rule|memory|note|regel|notiz|règle|regla|nota)(?!\p{L})/iu;
const QUESTION =
  /\?|(?<!\p{L})(?:why(?! not)|what|how|which|who|warum|wieso|was|wie|pourquoi|comment|quoi|qué|cómo)(?!\p{L})/iu;
/** Choosing, in whatever word: "I use vim" is "prefers vim". */
const STANCE = /^(?:prefer|use|like|want|love)s?$/;
/** Of the words of a statement besides its verb a clause that says it again has so many. */
const RESTATED_SHARE = 0.75;

/** Whether a text asks something. */
export function asks(text: string): boolean {
  return QUESTION.test(text);
}

/**
 * Whether a clause says again what a statement says: its verb (a denial carries it: "no unit tests"), the words it is said
 * of, the same denials and limits, and nothing of its own. "fix the failing tests" is not "skip the failing tests".
 */
export function restates(clause: string, statement: string): boolean {
  const own = contentOf(clause);
  const said = new Set(own);
  const wanted = contentOf(statement);
  const [verb, ...rest] = wanted;
  if (verb === undefined || asks(clause) || own.some((word) => !wanted.includes(word))) return false;
  const told = COMPARAND.test(clause) ? statement : statement.replace(COMPARAND, "");
  if (limitsOf(clause) !== limitsOf(told) || deniesAlone(clause, statement)) return false;
  const isDenied = deniesAlone("x", statement);
  if (!said.has(verb) && (!isDenied || own.length === 0)) return false;
  const needed = rest.filter((word) => told === statement || contentOf(told).includes(word));
  return needed.filter((word) => said.has(word)).length >= RESTATED_SHARE * needed.length;
}

/** Whether a clause says something of what a statement says, and nothing else. */
export function repeats(clause: string, statement: string): boolean {
  const [own, wanted] = [contentOf(clause), contentOf(statement)];
  return own.length > 0 && own.every((word) => wanted.includes(word)) && !asks(clause);
}

/** Whether a clause does no more than call a memory by words of its own: "the payment rule". */
export function namesMemory(clause: string, memory: string): boolean {
  const own = contentOf(clause.replace(MEMORY, " "));
  const words = new Set(contentOf(memory));
  return MEMORY.test(clause) && own.length > 0 && own.every((word) => words.has(word));
}

/** The words of a text that say something of their own, in their order. */
export function contentOf(text: string): string[] {
  const words = wordsIn(text.replace(DENIALS, " ").replace(LIMITS, " "))
    .map((word) => (STANCE.test(word) ? "prefer" : word))
    .filter((word) => !isEmptyWord(word) && word !== "user")
    .flatMap((word) => [...wordsOf(word)]);
  return [...new Set(words)];
}

function limitsOf(text: string): string {
  const found = (text.match(LIMITS) ?? []).map((word) => word.toLowerCase());
  return [...new Set(found)].sort().join(" ");
}
