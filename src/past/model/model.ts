/** A question in the two parts that every provider takes. */
export interface ModelQuestion {
  system: string;
  user: string;
}

/** Tokens of one call, as the provider counts them; estimated from the text where it does not say. */
export interface TokenUsage {
  input: number;
  output: number;
}

/** Why a model gave no answer. */
export type ModelFailure =
  /** The deadline passed. */
  | "timeout"
  /** No connection, or the program does not start. */
  | "unreachable"
  /** The provider declined: an HTTP status, a redirect, a program that reports an error. */
  | "refused"
  /** An invalid answer: no JSON, or not what was asked for. */
  | "nonsense"
  /** An answer of more bytes than any has. */
  | "oversized";

/** Result of asking. Trouble is data: the caller goes on without an answer. */
export type ModelAnswer =
  | { kind: "answered"; text: string; usage: TokenUsage }
  /** `message` holds no word of the provider's answer, which is hostile input; `usage` where it was told. */
  | { kind: "failed"; failure: ModelFailure; message: string; usage?: TokenUsage };

/** How one call is bounded. */
export interface ModelBounds {
  deadlineMs: number;
  /** Tokens of the answer at most. */
  maxAnswerTokens: number;
  /** Ends it early. */
  signal?: AbortSignal | undefined;
}

/** A model that answers one question at a time: the one layer through which heed calls any model. */
export interface Model {
  /** As a ledger names it: `anthropic claude-haiku-4-5`. */
  readonly name: string;
  /** Never rejects. */
  ask(question: ModelQuestion, bounds: ModelBounds): Promise<ModelAnswer>;
}

/** The most tokens that a question can cost with any model: no token is shorter than a byte. */
export function mostTokens({ system, user }: ModelQuestion): number {
  return Buffer.byteLength(system) + Buffer.byteLength(user) + 64;
}

/** Four characters a token, for a provider that reports no counts. */
export function estimatedUsage({ system, user }: ModelQuestion, answer: string): TokenUsage {
  return {
    input: Math.ceil((system.length + user.length) / 4),
    output: Math.ceil(answer.length / 4),
  };
}

/** The counts that a provider reports, where they are such. */
export function reportedUsage(input: unknown, output: unknown): TokenUsage | undefined {
  const isCount = (value: unknown): value is number =>
    typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 100_000_000;
  return isCount(input) && isCount(output) ? { input, output } : undefined;
}

/** A longer answer is not the JSON object that was asked for. */
const MAX_ANSWER_CHARS = 20_000;

/** The one JSON object of an answer; a model's thinking may precede it, and a code fence surround it. */
export function objectIn(answer: string): Record<string, unknown> | undefined {
  if (answer.length > MAX_ANSWER_CHARS) return undefined;
  const thought = answer.lastIndexOf("</think>");
  const text = (thought < 0 ? answer : answer.slice(thought + "</think>".length)).trim();
  const isFenced = text.startsWith("```") && text.endsWith("```") && text.includes("\n");
  try {
    const value: unknown = JSON.parse(isFenced ? text.slice(text.indexOf("\n") + 1, -3) : text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
