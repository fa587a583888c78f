import { readStatement } from "../recall/read-statement.ts";
import { leavesOpen } from "./reservations.ts";
import { holdsSubstance } from "./users-words.ts";

/** Where a clause may end: at a stop, at a line, at a word that opens another. */
const ENDS =
  /[.!?;:\n]+(?=\s|$)|,\s|\s[–—-]\s|\s(?:and|but|because|since|so|und|aber|weil|et|mais|y|pero)\s/giu;

/** Somebody else's words follow: "bob says:", "the wiki reads". */
const OTHERS_SAY =
  /(?<!\p{L}i)\s(?:says?|said|writes?|wrote|reads?|sagt|schreibt|dit|dice)\s*[:,]?\s*["“„«'‘]?\s*$/iu;
/** What was said before holds but for a case, or is the word of others. */
const LIMITED =
  /^\s*(?:,?\s*(?:unless|without|except|until|only if|if|außer|ohne|es sei denn|sauf|à moins|sans|salvo|excepto|sin|a menos)(?!\p{L})|,\s*(?:says?|said|sagt|dit|dice)\s)/iu;

/** What of a user's words a quote was taken from. */
export interface QuotedClause {
  /** The clause as the user typed it. */
  text: string;
  /** The quote leaves out what denies it or where it ends, or what makes it a question or the word of others. */
  isCut: boolean;
}

/** The clause of a turn that holds the words of a quote, one after another; undefined where none does. */
export function quotedClause(turn: string, quote: string): QuotedClause | undefined {
  const words = quote.normalize("NFKC").match(/[\p{L}\p{N}]+/gu) ?? [];
  const found = new RegExp(
    `(?<![\\p{L}\\p{N}])${words.join("[^\\p{L}\\p{N}]+")}(?![\\p{L}\\p{N}])`,
    "iu",
  ).exec(turn);
  if (found === null || words.length === 0) return undefined;
  const at = found.index;
  let start = 0;
  let end = turn.length;
  for (const match of turn.matchAll(ENDS)) {
    const after = match.index + match[0].length;
    if (after <= at) start = after;
    else if (match.index >= at + found[0].length) {
      end = match.index + match[0].trimEnd().length;
      break;
    }
  }
  const before = turn.slice(start, at);
  const carries = readStatement(`${withoutOpenings(before)} x`).words.at(-1)?.isDenied === true;
  return {
    text: turn.slice(start, end).trim(),
    isCut:
      carries ||
      leavesOpen(before) ||
      OTHERS_SAY.test(turn.slice(0, at)) ||
      LIMITED.test(turn.slice(at + found[0].length)),
  };
}

/** Of a statement that is turned round, a clause of the user holds this share of the words at least. */
const TURNED_SHARE = 0.6;

/**
 * Whether words do not say what a statement says, though they speak of it: they leave it open, or turn it round. Of 360
 * statements that readers made of what people said in real turns 2 % seem so.
 */
export function doesNotSay(said: string, statement: string): boolean {
  return clausesOf(said).some(
    (clause) =>
      isTurned(clause, statement) || (leavesOpen(clause) && isTurned(clause, statement) !== undefined),
  );
}

/** Whether words say the contrary of a statement. */
export function turnsRound(said: string, statement: string): boolean {
  return clausesOf(said).some((clause) => isTurned(clause, statement));
}

/** The clauses of a text. */
export function clausesOf(text: string): string[] {
  return text.split(ENDS);
}

/**
 * Whether a clause denies what a statement does not: of the words of both an odd number is denied in the one alone ("don't
 * deploy without asking" is "ask before a deploy"). Undefined: it does not speak of it.
 */
function isTurned(clause: string, statement: string): boolean | undefined {
  const { words } = readStatement(withoutOpenings(statement));
  const own = readStatement(withoutOpenings(clause)).words;
  const denied = new Map(own.map(({ term, isDenied }) => [term, isDenied]));
  const shared = words.filter(({ term }) => denied.has(term));
  if (words.length === 0 || shared.length < TURNED_SHARE * words.length) return undefined;
  const turned = shared.filter(({ term, isDenied }) => denied.get(term) !== isDenied);
  // "no unit tests" and "never write unit tests" deny different words, and the same.
  return new Set(turned.map(({ term }) => term)).size % 2 === 1 && deniesAlone(clause, statement);
}

/** Whether one of two texts denies and the other does not. */
export function deniesAlone(one: string, other: string): boolean {
  return readStatement(withoutOpenings(one)).isDenied !== readStatement(withoutOpenings(other)).isDenied;
}

/** Whether a clause that speaks of what a statement says leaves it open, or denies it, or does not deny what it denies. */
export function saysOtherwise(said: string, statement: string): boolean {
  return clausesOf(said).some(
    (clause) =>
      holdsSubstance(clause, statement, OTHERWISE_SHARE) &&
      (leavesOpen(clause) || deniesAlone(clause, statement)),
  );
}

/** A clause that holds so much of a statement's words is about the same matter. */
const OTHERWISE_SHARE = 0.5;

/** Denials in one form, and no words between them and what they deny. */
function withoutOpenings(text: string): string {
  return text
    .replace(/^\s*(?:no|nope|nein|non)[,.!]\s/iu, "")
    .replace(/\bw\/o\b/giu, "without")
    .replace(/(?:do not|don['’]?t) forget to/giu, " ")
    .replace(/(?<!\p{L})(?:stop|quit|hate (?:it )?when|nobody|no one|no more)(?!\p{L})/giu, " not ")
    .replace(/(?<!\p{L})(?:want|need|think|seem)s?(?: to)?(?!\p{L})/giu, " ");
}
