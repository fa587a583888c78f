import type { ShortlistEntry } from "../../app/place/judge-source.ts";
import type { Judge, Judgement, TokenUsage } from "./judge.ts";
import type { JudgeConfig } from "./judge-config.ts";
import type { JudgeQuestion } from "./judge-question.ts";
import { estimatedUsage, judgeQuestion, parseSelection } from "./judge-question.ts";
import { failed, postJson } from "./post-json.ts";

/** How one protocol asks and answers. */
export interface ChatProtocol {
  /** After the base address. */
  path: string;
  headers(key: string | undefined): Record<string, string>;
  body(question: JudgeQuestion, config: JudgeConfig): unknown;
  /** The text of an answer; undefined where it has none. */
  textOf(answer: Readonly<Record<string, unknown>>): string | undefined;
  usageOf(answer: Readonly<Record<string, unknown>>): TokenUsage | undefined;
}

/** A judge behind HTTP. The key is held by nothing but this object, and goes into nothing but its header. */
export class HttpJudge implements Judge {
  readonly name: string;
  readonly #config: JudgeConfig;
  readonly #protocol: ChatProtocol;
  readonly #key: string | undefined;

  constructor(config: JudgeConfig, protocol: ChatProtocol, key: string | undefined) {
    this.name = `${config.provider} ${config.model}`;
    this.#config = config;
    this.#protocol = protocol;
    this.#key = key;
  }

  async select(
    prompt: string,
    shortlist: readonly ShortlistEntry[],
    deadlineMs: number,
    signal?: AbortSignal,
  ): Promise<Judgement> {
    const { url } = this.#config;
    const protocol = this.#protocol;
    const question = judgeQuestion(prompt, shortlist);
    const answered = await postJson(
      `${url}${protocol.path}`,
      protocol.headers(this.#key),
      protocol.body(question, this.#config),
      deadlineMs,
      signal,
    );
    if (answered.kind === "failed") return answered;
    const text = protocol.textOf(answered.value) ?? "";
    const usage = protocol.usageOf(answered.value) ?? estimatedUsage(question, text);
    const handles = parseSelection(text, shortlist);
    return handles === undefined
      ? { ...failed("nonsense", "the answer chooses nothing from the list"), usage }
      : { kind: "chosen", handles, usage };
  }
}
