import type { Injection } from "../memory/memory-type.ts";
import type { RelevanceSignals } from "./relevance-signals.ts";

/** What the relevance model decides about one memory, and all it decided by. */
export interface RelevanceDecision {
  form: "body" | "pointer" | "none";
  /** 0 to 1: estimate that the memory is relevant to the prompt. */
  probability: number;
  /** In words. */
  reason: string;
  /** What each signal added to the log-odds, `bias` included; together they give the probability. */
  terms: Record<string, number>;
}

/**
 * Evidence is `likelihood * (HEAD_FLOOR + headCoverage)`: common words count as far as they are what the
 * memory is about. None of seven fitted signals told more than these two.
 */
const HEAD_FLOOR = 0.3;
/** Evidence to log-odds, a logistic regression of one slope over 5,609 finds for 898 prompts of 16 stores; for the reader, not the form. */
const BIAS = -3.5;
const SLOPE = 2.9;

/**
 * Evidence from which a memory is injected whole: the least at which at most 2.25 % of prompts that need
 * nothing get one (`npm run bench -- fit-relevance`).
 */
export const BODY_EVIDENCE: number = 1.04;
/** From this much on it has a line, where no map holds one. */
export const POINTER_EVIDENCE: number = 0.7;

/** Evidence that a solution needs when its cue does not occur: most of its description. Chosen by hand. */
export const UNCUED_EVIDENCE: number = 3;

/** The evidence that a memory is relevant to a prompt; two signals, no weights. */
export function evidenceOf({ likelihood, headCoverage }: RelevanceSignals): number {
  return likelihood * (HEAD_FLOOR + headCoverage);
}

/** Whether a memory is injected whole. */
export function tellsWhole(signals: RelevanceSignals, threshold: number = BODY_EVIDENCE): boolean {
  return !isOneWord(signals) && evidenceOf(signals) >= threshold;
}

/** "There's no space before Install" is not about installing: one word is not enough, but for a cue that says so much. */
function isOneWord({ isOneWord: isOne, isCued }: RelevanceSignals): boolean {
  return isOne && isCued !== true;
}

/** Policies whose memories a prompt never brings: they come with the session, or only when asked for. */
const NOT_ON_PROMPT: ReadonlySet<Injection> = new Set<Injection>(["always", "resume", "never"]);

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
  if (NOT_ON_PROMPT.has(injection)) return silent("its type is not told on a prompt");
  if (injection === "symptom" && isCued === false && evidence < UNCUED_EVIDENCE)
    return silent("its symptom does not occur");
  if (evidence < POINTER_EVIDENCE) return silent("too little in common");
  const reason =
    isCued === true
      ? "its cue occurs"
      : terms.headCoverage > terms.likelihood
        ? "the prompt holds much of its description"
        : "telling words in common";
  return { form: tellsWhole(signals) ? "body" : "pointer", probability, reason, terms };
}
