import type { Injection } from "../memory/memory-type.ts";
import { BODY_THRESHOLD, RELEVANCE_BIAS, RELEVANCE_WEIGHTS, POINTER_THRESHOLD } from "./relevance-weights.ts";
import type { RelevanceSignals } from "./relevance-signals.ts";

/** What the relevance model decides about one memory, and all it decided by. */
export interface RelevanceDecision {
  form: "body" | "pointer" | "none";
  /** 0 to 1: estimate that the memory bears on the prompt. */
  probability: number;
  /** In words. */
  reason: string;
  /** What each signal added to the log-odds, `bias` included; together they give the probability. */
  terms: Record<string, number>;
}

/** Policies whose memories a prompt never brings: they come with the session, or only when asked for. */
const NOT_ON_PROMPT: ReadonlySet<Injection> = new Set<Injection>(["always", "resume", "never"]);

const IN_WORDS: Readonly<Record<keyof RelevanceSignals, string>> = {
  likelihood: "telling words in common",
  headCoverage: "the prompt holds much of its description",
  named: "what it points at is named",
  neighbours: "words stand together as in the memory",
  trigger: "its cue occurs",
  cueless: "its cue does not occur",
  lone: "one word in common",
  clutter: "the prompt is mostly code or output",
  crowd: "many memories",
};

const NAMES = Object.keys(RELEVANCE_WEIGHTS) as (keyof RelevanceSignals)[];

/** Decides the form in which a memory may be told on a prompt, from its signals and its type's policy. */
export function assessRelevance(signals: RelevanceSignals, injection: Injection): RelevanceDecision {
  const terms: Record<string, number> = { bias: RELEVANCE_BIAS };
  for (const name of NAMES) terms[name] = RELEVANCE_WEIGHTS[name] * signals[name];
  const logOdds = Object.values(terms).reduce((sum, term) => sum + term, 0);
  const probability = 1 / (1 + Math.exp(-logOdds));
  if (NOT_ON_PROMPT.has(injection)) {
    return { form: "none", probability, reason: "its type is not told on a prompt", terms };
  }
  if (probability < POINTER_THRESHOLD) {
    const reason = signals.lone > 0 ? "one word in common is too little" : "too little in common";
    return { form: "none", probability, reason, terms };
  }
  const strongest = NAMES.filter((name) => (terms[name] ?? 0) > 0)
    .sort((left, right) => (terms[right] ?? 0) - (terms[left] ?? 0))
    .slice(0, 2);
  const reason = strongest.map((name) => IN_WORDS[name]).join(", ");
  return { form: probability >= BODY_THRESHOLD ? "body" : "pointer", probability, reason, terms };
}
