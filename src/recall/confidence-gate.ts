import type { Injection } from "../memory/memory-type.ts";
import type { RelevanceSignals } from "./relevance-signals.ts";

/**
 * The gate's constants: a logistic model of the signals.
 *
 * Fitted (ridge 1) on the five best hits of 285 labelled prompts over 23 real stores, and rounded; leaving one store
 * out at a time the model put 42 % of the needed memories in as a body and 64 % as a body or pointer, where the
 * BM25F score alone reached 3 % and 34 % at the same rates of false ones. Those memories had no triggers, so that the
 * weight of `trigger` is set by hand: a whole cue moves a memory from silence to a pointer.
 */
export const GATE_WEIGHTS: Readonly<Record<keyof RelevanceSignals, number>> = {
  promptCoverage: 1.6,
  headCoverage: 2.6,
  evidence: 2.9,
  identifiers: 0.3,
  trigger: 1,
  score: 3.5,
  lead: 0.9,
  agreement: 2.5,
  length: 0.3,
};
export const GATE_BIAS = -5.55;

/** From this probability on a memory is told whole: about 2 % of the prompts that needed nothing got one so. */
export const BODY_THRESHOLD = 0.52;
/** From this probability on it is pointed at: about 10 % of the prompts that needed nothing got a pointer. */
export const POINTER_THRESHOLD = 0.31;

/** What the gate decides about one memory, and all it decided by. */
export interface GateDecision {
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
  promptCoverage: "it holds much of the prompt",
  headCoverage: "the prompt holds much of its description",
  evidence: "many telling words in common",
  identifiers: "names or paths in common",
  trigger: "its cue occurs",
  score: "a high score",
  lead: "a clear lead over the next",
  agreement: "description and text agree",
  length: "a long prompt",
};

/** Decides the form in which a memory may be told on a prompt, from its signals and its type's policy. */
export function judgeRelevance(signals: RelevanceSignals, injection: Injection): GateDecision {
  const names = Object.keys(GATE_WEIGHTS) as (keyof RelevanceSignals)[];
  const terms: Record<string, number> = { bias: GATE_BIAS };
  for (const name of names) terms[name] = GATE_WEIGHTS[name] * signals[name];
  const logOdds = Object.values(terms).reduce((sum, term) => sum + term, 0);
  const probability = 1 / (1 + Math.exp(-logOdds));
  if (NOT_ON_PROMPT.has(injection)) {
    return { form: "none", probability, reason: "its type is not told on a prompt", terms };
  }
  if (probability < POINTER_THRESHOLD)
    return { form: "none", probability, reason: "too little in common", terms };
  const strongest = names
    .filter((name) => name !== "length")
    .sort((left, right) => (terms[right] ?? 0) - (terms[left] ?? 0))
    .slice(0, 2);
  const reason = strongest.map((name) => IN_WORDS[name]).join(", ");
  return { form: probability >= BODY_THRESHOLD ? "body" : "pointer", probability, reason, terms };
}
