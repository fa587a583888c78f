import { TokenKind, type TokenKindValue } from "../index/analysis/token-kind.ts";
import { tokenize } from "../index/analysis/tokenize.ts";
import type { Field } from "../index/document/field.ts";
import type { Injection } from "../memory/memory-type.ts";
import type { MemoryCard } from "../memory/memory-card.ts";
import { backgroundShare, surpriseOf, UNSEEN_SHARE } from "./background-frequency.ts";
import type { Hit } from "./hit.ts";
import type { SearchResult } from "./search.ts";

/** What can be said about how a memory bears on a prompt. Only `crowd` depends on what else there is. */
export interface RelevanceSignals {
  /**
   * How much likelier the prompt's words are under this memory than under what people say to agents anyway, in nats,
   * over the root of the number of words: 0 for nothing in common, about 3 for a prompt about the memory.
   */
  likelihood: number;
  /** Share of the meaning of name, description, trigger, aliases and tags that the prompt holds; 0 to 1. */
  headCoverage: number;
  /** The same for a memory that is told when its system is mentioned; 0 for all others. */
  named: number;
  /** Neighbouring words of the prompt that are neighbours in the memory as well, over the root of its words. */
  neighbours: number;
  /** The largest share of one trigger or alias that the prompt holds; 0 to 1. */
  trigger: number;
  /**
   * For a memory that is told when its symptom appears: the share of its nearest cue that the prompt lacks, 0 to 1; 0 for
   * all others. That both are about Redis is no symptom.
   */
  cueless: number;
  /** When but one word is in common: how much less it says than a rare one, in nats; otherwise 0. */
  lone: number;
  /** Share of the prompt's characters that are neither letters, blanks nor plain punctuation: pasted code and logs. */
  clutter: number;
  /** ln of the number of memories that could be told here, at most {@link MOST_CROWDED}: among many, some match by chance. */
  crowd: number;
}

/** Larger collections were not measured: they are weighed as one of this size. */
const MOST_CROWDED = 2000;

/** A term of a text with its kind. */
type Terms = Map<string, TokenKindValue>;

/** What a text says, function words left out; a word of prose that is part of an identifier as well is a word. */
function termsIn(...texts: readonly string[]): Terms {
  const terms: Terms = new Map();
  for (const text of texts) {
    tokenize(text, (term, _position, kind, isStop) => {
      if (isStop || kind === TokenKind.character) return;
      if (!terms.has(term) || kind === TokenKind.word) terms.set(term, kind);
    });
  }
  return terms;
}

/** Parts of identifiers count half: the whole says more. */
const PART_WEIGHT = 0.5;
const weightOf = (kind: TokenKindValue | undefined): number => (kind === TokenKind.part ? PART_WEIGHT : 1);

/** How much a term says: its surprise, half of it for parts of identifiers. */
function meaningOf(term: string, kind: TokenKindValue | undefined): number {
  return weightOf(kind) * surpriseOf(term);
}

/**
 * The likelihood ratio of the query-likelihood model (Ponte and Croft, SIGIR 1998) with Jelinek-Mercer smoothing
 * (Zhai and Lafferty, SIGIR 2001), whose background is what people say to agents:
 *
 *     sum over shared terms of  ln(1 + MIXTURE * p(term | memory) / p(term | background))
 *
 * A word of the head counts as often as its weight here says. The values were chosen on a coarse grid; none matters much.
 */
const MIXTURE = 0.43;
const FIELD_COUNTS: Readonly<Record<Field, number>> = {
  name: 8,
  trigger: 8,
  aliases: 8,
  tags: 8,
  description: 5,
  body: 1,
};
/** Content words of a prompt on average: turns the share of prompts that hold a term into a share of words. */
const WORDS_OF_PROMPT = 8;
/** Content words in a character of a body: the median over real memories. */
const WORDS_PER_CHAR = 0.122;
/** Meaning, in nats, that a head is taken to hold beyond its words, so that a title of two words is not all covered by one. */
const HEAD_PRIOR = 15;

/** Signals of each hit of a search over a prompt; the search must have been explained, with neighbours. */
export function relevanceSignals(
  prompt: string,
  result: SearchResult,
  policyOf: (card: MemoryCard) => Injection | undefined,
): RelevanceSignals[] {
  const asked = termsIn(prompt);
  const root = Math.sqrt(Math.max(1, asked.size));
  const clutter = clutterOf(prompt);
  const crowd = Math.log(Math.max(1, Math.min(result.inReachCount, MOST_CROWDED)));
  return result.hits.map((hit) => {
    const { card } = hit;
    const lengths: Record<Field, number> = {
      name: countOf(card.name),
      trigger: countOf(...card.trigger),
      aliases: countOf(...card.aliases),
      tags: countOf(...card.tags),
      description: countOf(card.description),
      body: card.bodyLength * WORDS_PER_CHAR,
    };
    const cues = [...card.trigger, ...card.aliases].map((cue) => coverage(termsIn(cue), asked, 0));
    const cue = Math.max(0, ...cues);
    const head = termsIn(card.name, card.description, ...card.trigger, ...card.aliases, ...card.tags);
    const headCoverage = coverage(head, asked, HEAD_PRIOR);
    let together = 0;
    for (const [first, second] of hit.neighbours ?? [])
      together += (meaningOf(first, asked.get(first)) + meaningOf(second, asked.get(second))) / 2;
    return {
      likelihood: likelihood(hit, asked, lengths) / root,
      headCoverage,
      named: policyOf(card) === "mentioned" ? headCoverage : 0,
      neighbours: Math.log1p(together) / root,
      trigger: cue,
      cueless: policyOf(card) === "symptom" ? 1 - cue : 0,
      lone: loneliness(hit, asked),
      clutter,
      crowd,
    };
  });
}

function countOf(...texts: readonly string[]): number {
  let count = 0;
  for (const text of texts)
    tokenize(text, (_term, _position, _kind, isStop) => {
      if (!isStop) count++;
    });
  return count;
}

function likelihood(hit: Hit, asked: Terms, lengths: Readonly<Record<Field, number>>): number {
  let length = 0;
  for (const field of Object.keys(FIELD_COUNTS) as Field[]) length += FIELD_COUNTS[field] * lengths[field];
  const frequencies = new Map<string, number>();
  for (const { term, field, frequency } of hit.terms ?? [])
    frequencies.set(term, (frequencies.get(term) ?? 0) + FIELD_COUNTS[field] * frequency);
  let sum = 0;
  for (const [term, frequency] of frequencies) {
    const kind = asked.get(term);
    if (kind === undefined || frequency === 0 || length === 0) continue;
    const share = Math.min(1, frequency / length);
    sum += weightOf(kind) * Math.log1p((MIXTURE * share * WORDS_OF_PROMPT) / backgroundShare(term));
  }
  return sum;
}

/** What a single word in common falls short of a rare one: `request` alone is next to nothing, a name may be enough. */
function loneliness(hit: Hit, asked: Terms): number {
  const terms = new Set(hit.terms?.map(({ term }) => term));
  const [term] = terms;
  if (term === undefined || terms.size > 1) return 0;
  return -Math.log(UNSEEN_SHARE) - meaningOf(term, asked.get(term));
}

/** The share of the meaning of `whole` that `part` holds; `prior` is meaning that nothing can hold. */
function coverage(whole: Terms, part: Terms, prior: number): number {
  let all = prior;
  let covered = 0;
  for (const [term, kind] of whole) {
    const meaning = meaningOf(term, kind);
    all += meaning;
    if (part.has(term)) covered += meaning;
  }
  return all === 0 ? 0 : covered / all;
}

const PLAIN = /[\p{L}\s,.?!'-]/u;

function clutterOf(text: string): number {
  let plain = 0;
  let all = 0;
  for (const character of text) {
    all++;
    const code = character.charCodeAt(0) | 0x20;
    if ((code >= 0x61 && code <= 0x7a) || PLAIN.test(character)) plain++;
  }
  return all === 0 ? 0 : 1 - plain / all;
}
