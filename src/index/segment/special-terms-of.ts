import type { MemoryCard } from "../../memory/memory-card.ts";
import type { Scope } from "../../memory/memory.ts";
import { documentKeyOf } from "../document/index-document.ts";
import { CARD_PARTS, hasPart } from "./card-part.ts";
import { SPECIAL } from "./special-term.ts";

const LONE_SURROGATE = /\p{Surrogate}/gu;

/** Without lone surrogates, which UTF-8 cannot hold: what is looked up must be what was stored. */
export function wellFormed(text: string): string {
  return text.replace(LONE_SURROGATE, "\ufffd");
}

/** One string for all memories with the same scope. */
export function scopeTermOf(scope: Scope): string {
  return SPECIAL.scope + wellFormed(JSON.stringify([scope.repo ?? null, scope.branch ?? null, scope.paths]));
}

/** The scope behind {@link scopeTermOf}. */
export function scopeOfTerm(term: string): Scope {
  const [repo, branch, paths] = JSON.parse(term.slice(1)) as [string | null, string | null, string[]];
  return { ...(repo !== null && { repo }), ...(branch !== null && { branch }), paths };
}

/** The exact properties under which a document can be listed, each once. */
export function specialTermsOf(card: MemoryCard): string[] {
  const terms = [
    SPECIAL.key + documentKeyOf(card),
    SPECIAL.id + card.id,
    SPECIAL.name + card.name,
    SPECIAL.type + card.type,
    SPECIAL.status + card.status,
    ...card.tags.map((tag) => SPECIAL.tag + tag.toLowerCase()),
    ...card.links.map((link) => SPECIAL.linkTo + link.to),
    ...CARD_PARTS.filter((part) => hasPart(card, part)).map((part) => SPECIAL.has + part),
  ].map(wellFormed);
  return [...new Set([...terms, scopeTermOf(card.scope)])];
}
