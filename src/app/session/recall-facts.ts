import { type FactSituation, whyNotHere } from "./situation.ts";
import { withoutSuperseded } from "./superseded.ts";
import { userWords } from "../../capture/transcript/user-words.ts";
import type { Candidate } from "../../inject/select-facts.ts";
import { endedOn } from "../../inject/whether-admitted.ts";
import { handleOf } from "../../memory/handle.ts";
import type { MemoryMetadata } from "../../memory/memory-metadata.ts";
import { memoryKey } from "../../memory/memory-key.ts";
import { FACT_INJECTIONS, type Injection } from "../../memory/memory-type.ts";
import { bestPassages } from "../../recall/best-passages.ts";
import { areLookAlikes, differenceOf, termsOfStatement } from "../../recall/difference.ts";
import { assessRelevance } from "../../recall/relevance-model.ts";
import { type RelevanceSignals, relevanceSignals } from "../../recall/relevance-signals.ts";
import { rememberLast } from "../../recall/remember-last.ts";
import { type SearchResult, search } from "../../recall/search.ts";

/** What facts are looked for. */
export interface FactQuestion {
  /** The prompt, or the error of a tool. */
  text: string;
  /** Only memories of these types are told; undefined for all types whose policy allows it. */
  types?: readonly string[];
  /** Set inside a subagent. */
  agent?: string;
}

/** What recall found for a prompt, best first, and how to cut a long memory to what is relevant to it. */
interface RecalledFacts {
  candidates: Candidate[];
  /** Memories that match but do not hold here, as far as recall came across them. */
  refused: { metadata: MemoryMetadata; reason: string }[];
  passagesOf(body: string, maxChars: number): readonly string[];
  isCut: boolean;
}

/** So many memories are weighed for one prompt. */
const MAX_CANDIDATES = 10;
/** So many memories that do not hold here are named in the receipt. */
const MAX_REFUSED = 25;
/** So many memories have a line on one prompt, where no map holds it: a longer list is a distraction. */
export const MAX_POINTERS = 5;
/** Of a longer text the beginning and the end are read: what is pasted between them is rarely the question. */
const MAX_TEXT_CHARS = 6000;

/** Searches the collection for what is relevant to a text, and asks the relevance model what each find is worth. */
export function recallFacts(
  situation: FactSituation,
  question: FactQuestion,
  deadlineAtMs: number,
): RecalledFacts {
  const { collection } = situation;
  const types = question.types ?? factTypes(situation);
  const text = ends(question.text);
  const refused = new Map<string, { metadata: MemoryMetadata; reason: string }>();
  const admits = (metadata: MemoryMetadata): boolean => {
    const reason = whyNotHere(metadata, situation, { evenIfEnded: true });
    if (reason !== undefined) refused.set(memoryKey(metadata), { metadata, reason });
    return reason === undefined;
  };
  const result = search(collection.readers, {
    text,
    syntax: "prompt",
    limit: MAX_CANDIDATES,
    types,
    isExplained: true,
    deadlineAtMs,
    admits,
  });
  const weights = new Map(result.terms.map(({ term, idf }) => [term, idf]));
  return {
    candidates: withoutSuperseded(weigh(text, result, situation), situation),
    refused: [...refused.values()].slice(0, MAX_REFUSED),
    passagesOf: (body, maxChars) => bestPassages(body, weights, maxChars),
    isCut: collection.isCut || result.isCut,
  };
}

/** The types whose memories may be told on a prompt. */
function factTypes({ collection }: FactSituation): string[] {
  return collection.types
    .all()
    .filter(({ injection }) => FACT_INJECTIONS.has(injection))
    .map(({ name }) => name);
}

function ends(text: string): string {
  const half = MAX_TEXT_CHARS / 2;
  return text.length <= MAX_TEXT_CHARS ? text : `${text.slice(0, half)}\n${text.slice(-half)}`;
}

/**
 * What can be said of each hit by what the user asks in their own words: what they pasted brings along what it is about. A
 * symptom may stand in what is pasted.
 */
export function signalsOf(
  text: string,
  result: SearchResult,
  injectionOf: (metadata: MemoryMetadata) => Injection | undefined,
): RelevanceSignals[] {
  // Whoever writes one line typed it, whatever it looks like.
  const asked = text.trim().includes("\n") ? userWords(text).prose : text;
  const byAsked = relevanceSignals(asked, result);
  const byAll = asked === text ? byAsked : relevanceSignals(text, result);
  return result.hits.map(
    ({ metadata }, i) => (injectionOf(metadata) === "symptom" ? byAll : byAsked)[i] as RelevanceSignals,
  );
}

/** What the relevance model makes of each hit, most probable first. */
function weigh(text: string, result: SearchResult, { collection, admission }: FactSituation): Candidate[] {
  const policyOf = (metadata: MemoryMetadata): Injection | undefined =>
    collection.types.get(metadata.type)?.injection;
  const signals = signalsOf(text, result, policyOf);
  const weighed = result.hits.flatMap(({ metadata, score }, i): Candidate[] => {
    const signal = signals[i];
    const injection = policyOf(metadata);
    if (signal === undefined || injection === undefined) return [];
    const ended = endedOn(metadata, admission.now);
    const decision = assessRelevance(signal, injection);
    return [{ metadata, score, ...decision, ...(ended !== undefined && { endedOn: ended }) }];
  });
  // The sort is stable: what is equally probable stays in the order of the search.
  // What has ended comes after what holds.
  const ranked = weighed.sort(
    (a, b) =>
      Number(a.endedOn !== undefined) - Number(b.endedOn !== undefined) || b.probability - a.probability,
  );
  let pointers = 0;
  return singleOut(text, ranked).map((candidate): Candidate => {
    if (candidate.form !== "pointer" || ++pointers <= MAX_POINTERS) return candidate;
    return {
      ...candidate,
      form: "none",
      reason: `${MAX_POINTERS} memories are pointed at on one prompt at most`,
    };
  });
}

/** Of so many look-alikes, none of which the prompt singles out, none is told: it asks about none of them. */
const MANY = 3;

/** The last ones are remembered: each candidate is compared with all others. */
const termsOf = rememberLast(termsOfStatement);

/**
 * Of a family only the member that the prompt singles out by a word of its own is told: "the runbook for billing" brings
 * one of five runbooks.
 */
function singleOut(prompt: string, candidates: readonly Candidate[]): Candidate[] {
  // Most prompts bring nothing, and a comparison costs as much as the search.
  if (candidates.every(({ form }) => form === "none")) return [...candidates];
  const asked = termsOfStatement(prompt);
  const isAsked = (term: string): boolean => asked.has(term);
  return candidates.map((candidate): Candidate => {
    if (candidate.form === "none") return candidate;
    const head = headOf(candidate.metadata);
    const lookAlikes = candidates.filter(
      (other) => other !== candidate && areOfOneFamily(candidate.metadata, other.metadata),
    );
    if (lookAlikes.length === 0) return candidate;
    const isSaid = head
      .filter(isAsked)
      .some((term) => lookAlikes.some((other) => !headOf(other.metadata).includes(term)));
    if (isSaid) return candidate;
    const meant = lookAlikes.find((other) =>
      headOf(other.metadata).some((term) => isAsked(term) && !head.includes(term)),
    );
    if (meant === undefined && lookAlikes.length + 1 < MANY) return candidate;
    const reason =
      meant === undefined
        ? `one of ${lookAlikes.length + 1} look-alikes, of which the prompt singles out none`
        : `the prompt singles out ${handleOf(meant.metadata)}, which is like it`;
    return { ...candidate, form: "none", reason };
  });
}

/** The terms of all by which a memory can be asked for. */
function headOf({ name, description, aliases, trigger }: MemoryMetadata): string[] {
  return [...termsOf([name, description, ...aliases, ...trigger].join(" ")).keys()];
}

function areOfOneFamily(metadata: MemoryMetadata, beside: MemoryMetadata): boolean {
  return (
    metadata.type === beside.type &&
    areLookAlikes(differenceOf(termsOf(metadata.description), termsOf(beside.description)))
  );
}
