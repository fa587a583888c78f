import type { Claim } from "../memory/claims/claim.ts";
import { formatClaim, valueOfClaim } from "../memory/claims/claim.ts";

const MAX_CHARS = 20_000;

const word = (pattern: string): RegExp =>
  new RegExp(String.raw`(?<![\p{L}\p{N}_])(?:${pattern})(?![\p{L}\p{N}_])`, "iu");

/** Obligation, and permission withheld, in English, German, French and Spanish: it holds however it came about. */
const OBLIGES = word(
  String.raw`must(?:n['’]t)?|shall|has to|have to|may not|never|do not|don['’]t|by (?:contract|law)|muss|müssen|darf|dürfen|soll(?:en|te)?|nie(?:mals)?|doit|doivent|(?:il )?faut|interdit|jamais|debe[n]?|hay que|prohibido|nunca`,
);
/** Bounds that somebody set. */
const BOUNDS = word(
  String.raw`needs? to|cannot|can['’]t|always|required|requires?|requirement|mandatory|at most|at least|no more than|not more than|no less than|up to|maximum|minimum|max\.?|min\.?|limits?|caps?|capped|ceiling|quota|contract(?:ual)?|agreed|promised|guaranteed?|fixed (?:at|by)|froze|frozen|höchstens|mindestens|maximal|Grenze|Obergrenze|vertraglich|Pflicht|immer|ne peut|au plus|au moins|obligatoire|limite|plafond|toujours|como máximo|al menos|como mínimo|obligatorio|límite|tope|siempre`,
);
/** Somebody outside who set it: a law, a contract, a customer who insists. */
const IMPOSED = word(
  String.raw`insists?(?: on)?|demands?|dictates?|prescribe[sd]?|mandate[sd]?|impose[sd]?|laws?|legal|regulat(?:or|ors|ion|ory)|authorit(?:y|ies)|compliance|certifi(?:ed|cation)|SLA|statutory|auditors?|verlang(?:t|en)|Vorgaben?|vorgegeben|vorgeschrieben|Gesetz|Vertrag|Behörde|impos[ée]e?s?|exig(?:e|ée?s?|ido|ida)|loi|contrat|impuest[oa]|ley|contrato`,
);
/** An order about the value, at the beginning of the sentence; and what comes of another one. */
const ORDERS =
  /^\W*(?:please |bitte )?(?:keep|leave|hold|retain|preserve|stick to|lass(?:e|t)?|belass(?:e|en)?|behalte(?:n)?|garde[rz]?|laisse[rz]?|mant[ée]n(?:er)?|deja(?:r)?)(?!\p{L})|(?<!\p{L})(?:otherwise|or else|sonst|sinon|de lo contrario|si no)(?!\p{L})/iu;

/** Words that take a bound for what is, or as it was: "the limit was 5", "currently at most". */
const ONLY_SO =
  /(?<![\p{L}])(?:currently|right now|at the moment|today|happens to be|was|were|used to|derzeit|zurzeit|war|actuellement|était|actualmente|era)(?![\p{L}])/iu;

/** Whether a sentence says what must be rather than what is; code, paths and addresses in it say nothing of that. */
function isNormative(sentence: string): boolean {
  const prose = sentence.replace(/`[^`\n]*`|\S*[/_=]\S*/g, " ");
  if (OBLIGES.test(prose)) return true;
  return (BOUNDS.test(prose) || IMPOSED.test(prose) || ORDERS.test(prose)) && !ONLY_SO.test(prose);
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
