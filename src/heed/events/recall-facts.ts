import { cutText } from "../../inject/cut-text.ts";
import type { Candidate } from "../../inject/select-facts.ts";
import type { MemoryCard } from "../../memory/memory-card.ts";
import type { SearchResult } from "../../recall/search.ts";
import { search } from "../../recall/search.ts";
import type { Situation } from "./situation.ts";
import { keyOf, whyNotHere } from "./situation.ts";

/** What facts are looked for. */
export interface FactQuestion {
  /** The prompt, or the error of a tool. */
  text: string;
  /** Only memories of these types are told; undefined for all types whose policy allows it. */
  types?: readonly string[];
  /** Set inside a subagent. */
  agent?: string;
}

/** What recall found for a prompt, best first, and how to cut a long memory to what bears on it. */
export interface RecalledFacts {
  candidates: Candidate[];
  /** Memories that match but do not hold here, as far as recall came across them. */
  refused: { card: MemoryCard; reason: string }[];
  passagesOf(body: string, maxChars: number): readonly string[];
  isCut: boolean;
}

/** So many memories are weighed for one prompt. */
const MAX_CANDIDATES = 25;
/** Of a longer text the beginning and the end are read: what is pasted between them is rarely the question. */
const MAX_TEXT_CHARS = 6000;

/** Searches the collection for what bears on a text, and asks the gate what each find is worth. */
export function recallFacts(
  situation: Situation,
  question: FactQuestion,
  deadlineAtMs: number,
): RecalledFacts {
  const { collection } = situation;
  const types = question.types ?? factTypes(situation);
  const refused = new Map<string, { card: MemoryCard; reason: string }>();
  const result = search(collection.readers, {
    text: ends(question.text),
    syntax: "prompt",
    limit: MAX_CANDIDATES,
    types,
    isExplained: true,
    deadlineAtMs,
    admits(card) {
      const reason = whyNotHere(card, situation);
      if (reason !== undefined) refused.set(keyOf(card), { card, reason });
      return reason === undefined;
    },
  });
  return {
    candidates: weigh(result),
    refused: [...refused.values()].slice(0, MAX_CANDIDATES),
    passagesOf: (body, maxChars) => [cutText(body, maxChars)],
    isCut: collection.isCut || result.isCut,
  };
}

/** The types whose memories may be told on a prompt. */
function factTypes({ collection }: Situation): string[] {
  const onPrompt = new Set(["personal", "related", "mentioned", "symptom"]);
  return collection.types
    .all()
    .filter(({ injection }) => onPrompt.has(injection))
    .map(({ name }) => name);
}

function ends(text: string): string {
  const half = MAX_TEXT_CHARS / 2;
  return text.length <= MAX_TEXT_CHARS ? text : `${text.slice(0, half)}\n${text.slice(-half)}`;
}

function weigh(result: SearchResult): Candidate[] {
  const all = result.terms.reduce((sum, { idf }) => sum + idf, 0);
  return result.hits.map(({ card, score, terms }) => {
    const matched = new Map((terms ?? []).map(({ term, idf }) => [term, idf]));
    const coverage = [...matched.values()].reduce((sum, idf) => sum + idf, 0) / Math.max(all, 0.001);
    const form = matched.size < 3 || coverage < 0.5 ? "none" : coverage > 0.75 ? "body" : "pointer";
    return {
      card,
      score,
      probability: coverage,
      form,
      reason: `${matched.size} words in common`,
      terms: { coverage },
    };
  });
}
