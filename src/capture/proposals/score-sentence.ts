import { sentencesOf } from "../text/sentences.ts";
import type { Cue, ProposalClass } from "./cue.ts";
import { CUES } from "./cues.ts";
import { BIAS, WEIGHTS } from "./weights.ts";

/** A sentence of a person's message with what speaks for and against it. */
export interface ScoredSentence {
  sentence: string;
  /** Log odds that the sentence is worth a memory. */
  logOdds: number;
  /** The kind of memory that the strongest cues speak for; undefined when none does. */
  class: ProposalClass | undefined;
  /** Names of the cues that were found. */
  cues: string[];
}

const ON_TURN = CUES.filter(({ on }) => on === "turn");
const ON_SENTENCE = CUES.filter(({ on }) => on !== "turn");

/** Scores the sentences of a person's message, given as prose without what is pasted. */
export function scoreSentences(prose: string): ScoredSentence[] {
  const sentences = sentencesOf(prose);
  if (sentences.length === 0) return [];
  const around = ON_TURN.filter(({ pattern }) => pattern.test(prose));
  return sentences.map((sentence) => {
    const found = [...around, ...ON_SENTENCE.filter(({ pattern }) => pattern.test(sentence))];
    const logOdds = found.reduce((sum, { name }) => sum + weightOf(name), BIAS[1]);
    return { sentence, logOdds, class: classOf(found), cues: found.map(({ name }) => name) };
  });
}

function weightOf(name: string): number {
  return WEIGHTS[name]?.[1] ?? 0;
}

function classOf(found: readonly Cue[]): ProposalClass | undefined {
  const sums = new Map<ProposalClass, number>();
  for (const cue of found)
    if (cue.class) sums.set(cue.class, (sums.get(cue.class) ?? 0) + weightOf(cue.name));
  return [...sums].sort(([, a], [, b]) => b - a)[0]?.[0];
}
