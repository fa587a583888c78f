import { checkCommand } from "../../freshness/check-machine.ts";
import { ClaudeCodeModel } from "./claude-code-model.ts";
import type { Model, ModelAnswer, ModelBounds, ModelQuestion, TokenUsage } from "./model.ts";
import type { ModelConfig } from "./model-config.ts";
import { asRecord } from "../../machine/read-fields.ts";
import { reportedUsage, estimatedUsage } from "./model.ts";
import { postJson } from "./post-json.ts";

/** The model of a configuration, or what it lacks. The key is read from the environment, here and nowhere else. */
export function openModel(
  config: ModelConfig,
  env: Readonly<Record<string, string | undefined>>,
): Model | { missing: string } {
  if (config.provider === "claude-code") {
    const { command } = config;
    const isMissing = !/[\\/]/.test(command) && checkCommand(command, env).state === "broken";
    return isMissing ? { missing: `there is no ${command} on the PATH` } : new ClaudeCodeModel(config, env);
  }
  const key = config.keyFrom === undefined ? undefined : env[config.keyFrom]?.trim();
  if (config.keyFrom !== undefined && (key === undefined || key === ""))
    return { missing: `${config.keyFrom} is not set in the environment` };
  // A header takes no line break; fetch would say so with the key in its message.
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key))
    return { missing: `${config.keyFrom} holds characters that no key has` };
  return new HttpModel(config, config.provider === "anthropic" ? ANTHROPIC_PROTOCOL : OPENAI_PROTOCOL, key);
}

/** The Messages API; `url` is its base, as ANTHROPIC_BASE_URL names it. */
const ANTHROPIC_PROTOCOL: ChatProtocol = {
  path: "/v1/messages",
  headers: (key) => ({
    "anthropic-version": "2023-06-01",
    ...(key !== undefined && { "x-api-key": key }),
  }),
  body: ({ system, user }, { model, maxAnswerTokens }) => ({
    model,
    max_tokens: maxAnswerTokens,
    system,
    messages: [{ role: "user", content: user }],
  }),
  textOf({ content }) {
    if (!Array.isArray(content)) return undefined;
    const texts = content.flatMap((block: unknown) => {
      const { type, text } = asRecord(block) ?? {};
      return type === "text" && typeof text === "string" ? [text] : [];
    });
    return texts.join("");
  },
  usageOf({ usage }) {
    const counts = asRecord(usage) ?? {};
    const cached = [counts["cache_creation_input_tokens"], counts["cache_read_input_tokens"]]
      .map((count) => (typeof count === "number" ? count : 0))
      .reduce((sum, count) => sum + count, 0);
    const input = counts["input_tokens"];
    return reportedUsage(typeof input === "number" ? input + cached : input, counts["output_tokens"]);
  },
};

/** Chat completions, as OpenAI, Ollama, llama.cpp, vLLM and many more speak them; `url` ends in `/v1` with most. */
const OPENAI_PROTOCOL: ChatProtocol = {
  path: "/chat/completions",
  headers: (key) => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
  body: ({ system, user }, { model, maxAnswerTokens, url }) => ({
    model,
    stream: false,
    messages: [
      { role: "system", content: system },
      { role: "user", content: user },
    ],
    // OpenAI's newer models know only the newer name and no temperature; other servers often only the older one.
    ...(new URL(url).hostname === "api.openai.com"
      ? { max_completion_tokens: maxAnswerTokens }
      : { max_tokens: maxAnswerTokens, temperature: 0 }),
  }),
  textOf({ choices }) {
    const first: unknown = Array.isArray(choices) ? choices[0] : undefined;
    const { content } = asRecord(asRecord(first)?.["message"]) ?? {};
    return typeof content === "string" ? content : undefined;
  },
  usageOf({ usage }) {
    const counts = asRecord(usage) ?? {};
    return reportedUsage(counts["prompt_tokens"], counts["completion_tokens"]);
  },
};

/** How one protocol asks and answers. */
export interface ChatProtocol {
  /** After the base address. */
  path: string;
  headers(key: string | undefined): Record<string, string>;
  body(
    question: ModelQuestion,
    config: Pick<ModelConfig, "model" | "url"> & { maxAnswerTokens: number },
  ): unknown;
  /** The text of an answer; undefined where it has none. */
  textOf(answer: Readonly<Record<string, unknown>>): string | undefined;
  usageOf(answer: Readonly<Record<string, unknown>>): TokenUsage | undefined;
}

/** A model behind HTTP. The key is held by nothing but this object, and goes into nothing but its header. */
export class HttpModel implements Model {
  readonly name: string;
  readonly #config: ModelConfig;
  readonly #protocol: ChatProtocol;
  readonly #key: string | undefined;

  constructor(config: ModelConfig, protocol: ChatProtocol, key: string | undefined) {
    this.name = `${config.provider} ${config.model}`;
    this.#config = config;
    this.#protocol = protocol;
    this.#key = key;
  }

  async ask(
    question: ModelQuestion,
    { deadlineMs, maxAnswerTokens, signal }: ModelBounds,
  ): Promise<ModelAnswer> {
    const { model, url } = this.#config;
    const protocol = this.#protocol;
    const answered = await postJson(
      `${url}${protocol.path}`,
      protocol.headers(this.#key),
      protocol.body(question, { model, url, maxAnswerTokens }),
      deadlineMs,
      signal,
    );
    if (answered.kind === "failed") return answered;
    const text = protocol.textOf(answered.value) ?? "";
    return {
      kind: "answered",
      text,
      usage: protocol.usageOf(answered.value) ?? estimatedUsage(question, text),
    };
  }
}
