import type { Model, ModelAnswer, ModelBounds, ModelQuestion, TokenUsage } from "./model.ts";
import { estimatedUsage } from "./model.ts";
import type { ModelConfig } from "./model-config.ts";
import { postJson } from "./post-json.ts";

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
