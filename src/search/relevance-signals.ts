import { TokenKind, tokenize } from "./index/analysis/tokenize.ts";
import type { Field } from "./index/document/index-document.ts";
import { BACKGROUND_BANDS, UNSEEN_SHARE } from "./background-frequency.ts";
import type { Hit } from "./search-query.ts";
import type { SearchResult } from "./search.ts";
import { FACT_INJECTIONS, type Injection } from "../memory/memory-type.ts";
import { handleOf } from "../memory/handle.ts";
import type { MemoryMetadata } from "../memory/memory.ts";
import { rememberLast } from "../machine/remember-last.ts";

/** What can be said about how a memory is relevant to a prompt. None depends on what else there is. */
export interface RelevanceSignals {
  /** Log-likelihood ratio in nats over the root of the number of words; 0: nothing in common, 3: about the memory. */
  likelihood: number;
  /** Share of the meaning of name, statement, trigger and tags that the prompt holds; 0 to 1. */
  headCoverage: number;
  /** All that they have in common is one word. A path is more than that. */
  isOneWord: boolean;
  /** Whether the prompt says a trigger: several words in full, or enough of a rare one. Undefined without any. */
  isCued: boolean | undefined;
  /** More words to meet by chance: to be told whole takes more evidence. */
  hasAliases: boolean;
}

type Terms = ReadonlySet<string>;

interface ReadText {
  /** Without stop words and parts of identifiers: with the parts, prompts got twice as much for nothing. */
  terms: Terms;
  length: number;
}

/** The prompts of a session find the same memories again: comparing 150 takes a twelfth of the time. */
const read = rememberLast(readText);

function readText(text: string): ReadText {
  const terms = new Set<string>();
  let length = 0;
  tokenize(text, (term, _position, kind, isStop) => {
    if (isStop) return;
    length++;
    if (kind !== TokenKind.character && kind !== TokenKind.part) terms.add(term);
  });
  return { terms, length };
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
/** One word counts at most this, in nats; a path may count more. The best of 3.5 to 6 (docs/decisions.md, 10). */
const MOST_OF_A_WORD = 4.5;
const FIELD_COUNTS: Readonly<Record<Field, number>> = {
  name: 8,
  trigger: 8,
  aliases: 4,
  tags: 8,
  statement: 5,
  body: 1,
};
/** Content words of a prompt on average: turns the share of prompts that hold a term into a share of words. */
const WORDS_OF_PROMPT = 8;
const WORDS_PER_CHAR = 0.122;
/** Meaning, in nats, that a head is taken to hold beyond its words, so that a title of two words is not all covered by one. */
const HEAD_PRIOR = 15;

/** Signals of each hit of a search for what was asked; the search must have been explained. */
export function relevanceSignals(prompt: string, result: SearchResult): RelevanceSignals[] {
  const asked = readText(prompt).terms;
  const root = Math.sqrt(Math.max(1, lengthOf(prompt)));
  return result.hits.map((hit) => {
    const { metadata } = hit;
    const lengths: Record<Field, number> = {
      name: lengthIn([metadata.name]),
      trigger: lengthIn(metadata.trigger),
      aliases: lengthIn(metadata.aliases),
      tags: lengthIn(metadata.tags),
      statement: lengthIn([metadata.statement]),
      body: metadata.bodyLength * WORDS_PER_CHAR,
    };
    const heads = [metadata.name, metadata.statement, ...metadata.trigger, ...metadata.tags];
    const head = new Set(heads.flatMap((text) => [...read(text).terms]));
    const cues = metadata.trigger;
    const { nats, words } = likelihood(hit, asked, lengths);
    return {
      likelihood: nats / root,
      isOneWord: words === 1,
      headCoverage: coverage(head, asked, HEAD_PRIOR),
      isCued: cues.length === 0 ? undefined : cues.some((cue) => isSaid(read(cue).terms, asked)),
      hasAliases: metadata.aliases.length > 0,
    };
  });
}

/** Different words of a text, parts of identifiers counted: a path is as long as its words. */
function lengthOf(text: string): number {
  const terms = new Set<string>();
  tokenize(text, (term, _position, kind, isStop) => {
    if (!isStop && kind !== TokenKind.character) terms.add(term);
  });
  return terms.size;
}

function lengthIn(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + read(text).length, 0);
}

function likelihood(
  hit: Hit,
  asked: Terms,
  lengths: Readonly<Record<Field, number>>,
): { nats: number; words: number } {
  let length = 0;
  for (const field of Object.keys(FIELD_COUNTS) as Field[]) length += FIELD_COUNTS[field] * lengths[field];
  const frequencies = new Map<string, number>();
  for (const { term, field, frequency } of hit.terms ?? [])
    frequencies.set(term, (frequencies.get(term) ?? 0) + FIELD_COUNTS[field] * frequency);
  let nats = 0;
  let words = 0;
  for (const [term, frequency] of frequencies) {
    if (!asked.has(term) || frequency === 0 || length === 0) continue;
    const share = Math.min(1, frequency / length);
    const said = Math.log1p((MIXTURE * share * WORDS_OF_PROMPT) / backgroundShare(term));
    const isPath = term.includes("/");
    nats += isPath ? said : Math.min(MOST_OF_A_WORD, said);
    words += isPath ? 2 : 1;
  }
  return { nats, words };
}

/** The share of the meaning of `whole` that `part` holds; `prior` is meaning that nothing can hold. */
function coverage(whole: Terms, part: Terms, prior: number): number {
  let all = prior;
  let covered = 0;
  for (const term of whole) {
    const meaning = surpriseOf(term);
    all += meaning;
    if (part.has(term)) covered += meaning;
  }
  return all === 0 ? 0 : covered / all;
}

/** A cue of one word must say so much, in nats: a rare word says 7; `npm` or `run` alone is no symptom. */
const CUE_NATS = 6;

function isSaid(cue: Terms, asked: Terms): boolean {
  const shared = [...cue].filter((term) => asked.has(term));
  const meaning = shared.reduce((sum, term) => sum + surpriseOf(term), 0);
  return meaning >= CUE_NATS || (cue.size > 1 && shared.length === cue.size);
}

interface RelevanceDecision {
  form: "body" | "pointer" | "none";
  probability: number;
  reason: string;
  /** What each signal added to the log-odds, `bias` included; together they give the probability. */
  terms: Record<string, number>;
}

/** Evidence is `likelihood * (HEAD_FLOOR + headCoverage)`; none of seven fitted signals told more. */
const HEAD_FLOOR = 0.3;
/** Evidence to log-odds, a logistic regression of one slope over 5,609 finds for 898 prompts of 16 stores; for the reader, not the form. */
const BIAS = -3.5;
const SLOPE = 2.9;

/** Evidence to inject a memory whole: at most 2.25 % of prompts that need nothing get one (`npm run bench -- fit-relevance`). */
export const BODY_EVIDENCE: number = 1.04;
/** The same for a memory with aliases: no more is told for nothing than without them (`bench -- inject --aliases`). */
const BODY_EVIDENCE_WITH_ALIASES = 1.15;
export const POINTER_EVIDENCE: number = 0.7;

/** Evidence that a solution needs when its cue does not occur: most of its statement. Chosen by hand. */
const UNCUED_EVIDENCE: number = 3;

/** The evidence that a memory is relevant to a prompt; two signals, no weights. */
export function evidenceOf({ likelihood, headCoverage }: RelevanceSignals): number {
  return likelihood * (HEAD_FLOOR + headCoverage);
}

export function tellsWhole(
  signals: RelevanceSignals,
  threshold: number = signals.hasAliases ? BODY_EVIDENCE_WITH_ALIASES : BODY_EVIDENCE,
): boolean {
  return !hangsOnOneWord(signals) && evidenceOf(signals) >= threshold;
}

/** "There's no space before Install" is not about installing: one word is not enough, but for a cue that says so much. */
function hangsOnOneWord({ isOneWord, isCued }: RelevanceSignals): boolean {
  return isOneWord && isCued !== true;
}

/** Decides the form in which a memory may be told on a prompt, from its signals and its type's policy. */
export function assessRelevance(signals: RelevanceSignals, injection: Injection): RelevanceDecision {
  const { likelihood, headCoverage, isCued } = signals;
  const terms = {
    bias: BIAS,
    likelihood: SLOPE * HEAD_FLOOR * likelihood,
    headCoverage: SLOPE * likelihood * headCoverage,
  };
  const evidence = evidenceOf(signals);
  const probability = 1 / (1 + Math.exp(-BIAS - SLOPE * evidence));
  const silent = (reason: string): RelevanceDecision => ({ form: "none", probability, reason, terms });
  if (!FACT_INJECTIONS.has(injection)) return silent("its type is not added to prompts");
  if (injection === "symptom" && isCued === false && evidence < UNCUED_EVIDENCE)
    return silent("the prompt does not name its symptom");
  if (evidence < POINTER_EVIDENCE) return silent("too few words in common");
  const reason =
    isCued === true
      ? "the prompt names its symptom or trigger"
      : terms.headCoverage > terms.likelihood
        ? "the prompt has most words of its statement"
        : "rare words in common";
  const form = tellsWhole(signals) && injection !== "listed" ? "body" : "pointer";
  return { form, probability, reason, terms };
}

const KIND = /^(?:must:|absent:)*[a-z]+:/;
/** A path, or a word that only code has: with an underscore, a dot or a capital inside. */
const identifier = (): RegExp => /[\p{L}_$][\p{L}\p{N}_$./-]{2,}/gu;
const isOfCode = (word: string): boolean => /[_./]|\p{Ll}\p{Lu}|^\p{Lu}[\p{Lu}\p{N}]{3,}$/u.test(word);

/** Whether a text names a memory: by its handle or name, or by a path or an identifier that its claims are about. */
export function isNamedIn(
  text: string,
  metadata: Pick<MemoryMetadata, "name" | "statement" | "claims">,
): boolean {
  const names = [
    handleOf(metadata),
    `heed:${metadata.name}`,
    ...(metadata.name.includes("-") ? [metadata.name] : []),
  ];
  for (const claim of metadata.claims)
    for (const [word] of claim.replace(KIND, "").matchAll(identifier()))
      if (isOfCode(word)) names.push(word, ...(word.includes("/") ? [fileOf(word)] : []));
  return names.some((name) => name.length > 3 && holdsWord(text, name));
}

function fileOf(path: string): string {
  const file = path.slice(path.lastIndexOf("/") + 1);
  return file.includes(".") ? file : "";
}

function holdsWord(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const [before, after] = [text.slice(0, at).at(-1) ?? " ", text[at + name.length] ?? " "];
    if (!/[\p{L}\p{N}_-]/u.test(before) && !/[\p{L}\p{N}_-]/u.test(after)) return true;
  }
  return false;
}

let shares: Map<string, number> | undefined;

export function backgroundShare(term: string): number {
  shares ??= new Map(
    BACKGROUND_BANDS.flatMap(([share, terms]) => terms.split(" ").map((known) => [known, share] as const)),
  );
  return shares.get(term) ?? UNSEEN_SHARE;
}

/** How much a term says about what a text is about, before any store is looked at: the surprise -ln(share), in nats. */
function surpriseOf(term: string): number {
  return -Math.log(backgroundShare(term));
}
