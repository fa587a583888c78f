import type { Cue } from "./cue.ts";
import { KNOWLEDGE_CUES } from "./knowledge-cues.ts";
import { MANNER_CUES } from "./manner-cues.ts";
import { RULE_CUES } from "./rule-cues.ts";

/**
 * The signs by which a sentence of a person's message is weighed. Each is one thing that can be read aloud; how much it
 * counts is in `weights.ts`, which `npm run bench -- capture --fit` makes from labelled turns.
 */
export const CUES: readonly Cue[] = [...RULE_CUES, ...KNOWLEDGE_CUES, ...MANNER_CUES];
