import type { Claim } from "../memory/claims/claim.ts";
import { formatClaim, valueOfClaim } from "../memory/claims/claim.ts";

const MAX_CHARS = 20_000;

/**
 * Words by which a text says what must be, in English, German, French and Spanish: obligation, permission withheld, and
 * bounds that somebody set.
 */
const NORM =
  /(?<![\p{L}\p{N}_])(?:must(?:n['’]t)?|shall|has to|have to|needs? to|may not|cannot|can['’]t|never|always|do not|don['’]t|required|requires?|requirement|mandatory|at most|at least|no more than|not more than|no less than|up to|maximum|minimum|max\.?|min\.?|limits?|cap|capped|ceiling|quota|by (?:contract|law)|contract(?:ual)?|agreed|promised|guaranteed?|fixed (?:at|by)|froze|frozen|muss|müssen|darf|dürfen|soll(?:en|te)?|höchstens|mindestens|maximal|Grenze|Obergrenze|vorgeschrieben|vertraglich|Pflicht|nie(?:mals)?|immer|doit|doivent|faut|ne peut|interdit|au plus|au moins|obligatoire|limite|plafond|jamais|toujours|debe[n]?|hay que|prohibido|como máximo|al menos|como mínimo|obligatorio|límite|tope|nunca|siempre)(?![\p{L}\p{N}_])/iu;

/** Words that take a bound for what is, or as it was: "the limit was 5", "currently at most". */
const ONLY_SO =
  /(?<![\p{L}])(?:currently|right now|at the moment|today|happens to be|was|were|used to|derzeit|zurzeit|war|actuellement|était|actualmente|era)(?![\p{L}])/iu;

/** Whether a sentence says what must be rather than what is; code, paths and addresses in it say nothing of that. */
function isNormative(sentence: string): boolean {
  const prose = sentence.replace(/`[^`\n]*`|\S*[/_=]\S*/g, " ");
  return NORM.test(prose) && !ONLY_SO.test(prose);
}

/** The sentences of a text, lines taken for ends. */
export function sentencesOf(text: string): string[] {
  return text
    .slice(0, MAX_CHARS)
    .split(/\n|(?<=[.!?;])\s+(?=[\p{L}`*])/u)
    .filter((sentence) => sentence.trim() !== "");
}

/**
 * Which claims a text states as what must be: their value or name stands in a sentence of obligation, or the one line
 * of the memory is one and names it. Paths and symbols are never norms: what moved breaks nothing.
 */
export function normsOf({
  description,
  body,
}: {
  description: string;
  body: string;
}): (claim: Claim) => boolean {
  const normative = sentencesOf(`${description}\n${body}`).filter(isNormative);
  return (claim) => {
    const value = valueOfClaim(claim);
    if (value === undefined && !claim.isAbsent) return false;
    const name = nameOf(claim);
    return normative.some((sentence) => sentence.includes(name));
  };
}

function nameOf(claim: Claim): string {
  switch (claim.kind) {
    case "value":
    case "dependency":
      return claim.name;
    case "config":
      return claim.keys.at(-1) ?? "";
    case "literal":
      return claim.literal;
    default:
      return formatClaim(claim);
  }
}
