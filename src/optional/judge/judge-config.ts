import type { ModelConfig } from "../model/model-config.ts";
import { readModelConfig } from "../model/model-config.ts";

/** How the user set up the judge. */
export interface JudgeConfig extends ModelConfig {
  /** How long one call may take, in milliseconds. Default 8,000, of a command line client 30,000: it runs beside the turn. */
  deadlineMs: number;
  /** How long a prompt is held for it, in milliseconds, within the hook's own second. Default 600; of a client 0. */
  waitMs: number;
  /** Calls a session at most. Default 30. */
  maxCalls: number;
  /** Tokens a session at most, question and answer together. Default 60,000. */
  maxTokens: number;
  /** Tokens of one answer at most. Default 300; a model that thinks aloud first needs more. */
  maxAnswerTokens: number;
}

const NUMBERS = ["deadline_ms", "wait_ms", "calls", "tokens", "answer_tokens"] as const;

/** The judge of the user's configuration, or what is wrong with it. */
export interface ReadJudgeConfig {
  /** Undefined as soon as there is a problem: a judge that is half understood is none. */
  config: JudgeConfig | undefined;
  problems: string[];
}

/** Reads the `judge` part of the user's configuration. */
export function readJudgeConfig(value: Readonly<Record<string, unknown>>): ReadJudgeConfig {
  const read = readModelConfig("judge", value, NUMBERS);
  const isClient = value["provider"] === "claude-code";
  const numbers = {
    deadlineMs: read.number("deadline_ms", isClient ? 30_000 : 8000, 100, 120_000),
    waitMs: read.number("wait_ms", isClient ? 0 : 600, 0, 700),
    maxCalls: read.number("calls", 30, 1, 10_000),
    maxTokens: read.number("tokens", 60_000, 1000, 10_000_000),
    maxAnswerTokens: read.number("answer_tokens", 300, 50, 8000),
  };
  const { config, problems } = read;
  return { config: config && { ...config, ...numbers }, problems };
}
