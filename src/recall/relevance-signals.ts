import { tokenize } from "../index/analysis/tokenize.ts";
import { TokenKind } from "../index/analysis/token-kind.ts";
import { backgroundRarity } from "./background-frequency.ts";
import type { Hit } from "./hit.ts";
import { parseQuery } from "./parse-query.ts";
import type { SearchResult } from "./search.ts";

/** What can be said about how a memory bears on a prompt; each between 0 and 1 unless stated. */
export interface RelevanceSignals {
  /** Share of the prompt's meaning, terms weighted by rarity, that the memory holds. */
  promptCoverage: number;
  /** Share of the meaning of the memory's name, description, trigger and tags that the prompt holds. */
  headCoverage: number;
  /** Weight of all shared terms, saturating (1 - e^(-weight / 4)): how much evidence there is at all. */
  evidence: number;
  /** Shared identifiers, paths, flags and codes, saturating: 0.5 for one, 0.75 for two. */
  identifiers: number;
  /** The largest share of one trigger or alias that the prompt holds. */
  trigger: number;
  /** Score as a share of what a perfect match of the prompt could reach: comparable between prompts of any length. */
  score: number;
  /** Lead over the next hit, as a share of the score. */
  lead: number;
  /** Share of the matched weight that stands both in the head and in the body. */
  agreement: number;
  /** Length of the prompt: ln(1 + distinct terms), not bounded by 1. */
  length: number;
}

type Weights = Map<string, number>;

/** Terms of a text that carry meaning, each with its rarity. Parts of identifiers count half: the whole says more. */
function meaningOf(text: string, idfs: ReadonlyMap<string, number>, unknownIdf: number): Weights {
  const weights: Weights = new Map();
  tokenize(text, (term, _position, kind, isStop) => {
    if (isStop || kind === TokenKind.character) return;
    // In the middle between what is rare among people's words and what is rare in these stores.
    const share = unknownIdf === 0 ? 1 : Math.min(1, (idfs.get(term) ?? unknownIdf) / unknownIdf);
    const weight = backgroundRarity(term) * (0.5 + 0.5 * share) * (kind === TokenKind.part ? 0.5 : 1);
    weights.set(term, Math.max(weight, weights.get(term) ?? 0));
  });
  return weights;
}

function coverage(whole: Weights, part: { has(term: string): boolean }): number {
  let all = 0;
  let covered = 0;
  for (const [term, weight] of whole) {
    all += weight;
    if (part.has(term)) covered += weight;
  }
  return all === 0 ? 0 : covered / all;
}

/** Signals of each hit of a search over a prompt; the search must have been explained. */
export function relevanceSignals(prompt: string, result: SearchResult): RelevanceSignals[] {
  const idfs = new Map(result.terms.map(({ term, idf }) => [term, idf]));
  const unknownIdf = Math.log(1 + (result.documentCount + 0.5) / 0.5);
  const { terms } = parseQuery(prompt, "prompt");
  const identifiers = new Set(
    terms.filter(({ kind }) => kind === TokenKind.identifier).map(({ term }) => term),
  );
  const read = new Set(terms.map(({ term }) => term));
  const asked = new Map([...meaningOf(prompt, idfs, unknownIdf)].filter(([term]) => read.has(term)));
  let best = 0;
  for (const { idf } of result.terms) best += idf;
  return result.hits.map((hit, place) => {
    const { inHead, inBody } = matchedTerms(hit);
    const matched = new Set([...inHead, ...inBody]);
    let weight = 0;
    let both = 0;
    let sharedIdentifiers = 0;
    for (const term of matched) {
      const own = asked.get(term) ?? 0;
      weight += own;
      if (inHead.has(term) && inBody.has(term)) both += own;
      if (identifiers.has(term)) sharedIdentifiers += backgroundRarity(term);
    }
    const { card } = hit;
    const head = [card.name, card.description, ...card.trigger, ...card.tags].join("\n");
    const cues = [...card.trigger, ...card.aliases].map((cue) =>
      coverage(meaningOf(cue, idfs, unknownIdf), asked),
    );
    const next = result.hits[place + 1]?.score ?? 0;
    return {
      promptCoverage: coverage(asked, matched),
      headCoverage: coverage(meaningOf(head, idfs, unknownIdf), asked),
      evidence: 1 - Math.exp(-weight / 4),
      identifiers: 1 - 0.5 ** sharedIdentifiers,
      trigger: Math.max(0, ...cues),
      score: best === 0 ? 0 : hit.score / best,
      lead: hit.score === 0 ? 0 : (hit.score - next) / hit.score,
      agreement: weight === 0 ? 0 : both / weight,
      length: Math.log(1 + asked.size),
    };
  });
}

function matchedTerms(hit: Hit): { inHead: Set<string>; inBody: Set<string> } {
  const inHead = new Set<string>();
  const inBody = new Set<string>();
  for (const { term, field } of hit.terms ?? []) (field === "body" ? inBody : inHead).add(term);
  return { inHead, inBody };
}
