import type { ModelConfig } from "../model/model-config.ts";
import { readModelConfig } from "../model/model-config.ts";

/** How the user set up the model that reads sessions afterwards. */
export interface LearnConfig extends ModelConfig {
  /** How long one call may take, in milliseconds. Default 60,000: nobody waits for it. */
  deadlineMs: number;
  /** Calls a day at most. Default 20. */
  maxCalls: number;
  /** Tokens a day at most, question and answer together. Default 200,000. */
  maxTokens: number;
  /** Tokens of one answer at most. Default 2,000. */
  maxAnswerTokens: number;
}

const NUMBERS = ["deadline_ms", "calls", "tokens", "answer_tokens"] as const;

/** Reads the `learn` part of the user's configuration. */
export function readLearnConfig(value: Readonly<Record<string, unknown>>): {
  config: LearnConfig | undefined;
  problems: string[];
} {
  const read = readModelConfig("learn", value, NUMBERS);
  const numbers = {
    deadlineMs: read.number("deadline_ms", 60_000, 1000, 300_000),
    maxCalls: read.number("calls", 20, 1, 1000),
    maxTokens: read.number("tokens", 200_000, 1000, 10_000_000),
    maxAnswerTokens: read.number("answer_tokens", 2000, 200, 16_000),
  };
  const { config, problems } = read;
  return { config: config && { ...config, ...numbers }, problems };
}
