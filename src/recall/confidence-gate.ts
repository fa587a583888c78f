import type { Injection } from "../memory/memory-type.ts";
import { BODY_THRESHOLD, GATE_BIAS, GATE_WEIGHTS, POINTER_THRESHOLD } from "./gate-weights.ts";
import type { RelevanceSignals } from "./relevance-signals.ts";
import {
  SEMANTIC_BODY_THRESHOLD,
  SEMANTIC_GATE_BIAS,
  SEMANTIC_GATE_WEIGHTS,
  SEMANTIC_POINTER_THRESHOLD,
} from "./semantic-gate-weights.ts";
import type { SemanticSignals } from "./semantic-signals.ts";

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

const IN_WORDS: Readonly<Record<keyof SemanticSignals, string>> = {
  nearness: "near in meaning",
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

/** One fitted set of constants; a memory whose nearness is known is judged by another than one whose is not. */
interface GateModel<Signals> {
  weights: Readonly<Record<keyof Signals, number>>;
  bias: number;
  body: number;
  pointer: number;
}

const BY_WORDS: GateModel<RelevanceSignals> = {
  weights: GATE_WEIGHTS,
  bias: GATE_BIAS,
  body: BODY_THRESHOLD,
  pointer: POINTER_THRESHOLD,
};
const WITH_MEANING: GateModel<SemanticSignals> = {
  weights: SEMANTIC_GATE_WEIGHTS,
  bias: SEMANTIC_GATE_BIAS,
  body: SEMANTIC_BODY_THRESHOLD,
  pointer: SEMANTIC_POINTER_THRESHOLD,
};

/**
 * Decides the form in which a memory may be told on a prompt, from its signals and its type's policy. `nearness` is
 * the cosine of prompt and memory, where a sentence model tells it.
 */
export function judgeRelevance(
  signals: RelevanceSignals,
  injection: Injection,
  nearness?: number,
): GateDecision {
  return nearness === undefined
    ? decide(signals, injection, BY_WORDS)
    : decide({ ...signals, nearness }, injection, WITH_MEANING);
}

function decide<Signals extends RelevanceSignals>(
  signals: Signals,
  injection: Injection,
  model: GateModel<Signals>,
): GateDecision {
  const names = Object.keys(model.weights) as (keyof Signals & keyof SemanticSignals)[];
  const terms: Record<string, number> = { bias: model.bias };
  for (const name of names) terms[name] = model.weights[name] * Number(signals[name]);
  const logOdds = Object.values(terms).reduce((sum, term) => sum + term, 0);
  const probability = 1 / (1 + Math.exp(-logOdds));
  if (NOT_ON_PROMPT.has(injection)) {
    return { form: "none", probability, reason: "its type is not told on a prompt", terms };
  }
  if (probability < model.pointer) {
    const reason = signals.lone > 0 ? "one word in common is too little" : "too little in common";
    return { form: "none", probability, reason, terms };
  }
  const strongest = names
    .filter((name) => (terms[name] ?? 0) > 0)
    .sort((left, right) => (terms[right] ?? 0) - (terms[left] ?? 0))
    .slice(0, 2);
  const reason = strongest.map((name) => IN_WORDS[name]).join(", ");
  return { form: probability >= model.body ? "body" : "pointer", probability, reason, terms };
}
