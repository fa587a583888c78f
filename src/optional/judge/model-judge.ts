import type { ShortlistEntry } from "../../app/place/judge-source.ts";
import type { Model } from "../model/model.ts";
import { failed } from "../model/post-json.ts";
import type { Judge, Judgement } from "./judge.ts";
import { judgeQuestion, parseSelection } from "./judge-question.ts";

/** A judge of any model. */
export class ModelJudge implements Judge {
  readonly name: string;
  readonly #model: Model;
  readonly #maxAnswerTokens: number;

  constructor(model: Model, maxAnswerTokens: number) {
    this.name = model.name;
    this.#model = model;
    this.#maxAnswerTokens = maxAnswerTokens;
  }

  async select(
    prompt: string,
    shortlist: readonly ShortlistEntry[],
    deadlineMs: number,
    signal?: AbortSignal,
  ): Promise<Judgement> {
    const bounds = { deadlineMs, maxAnswerTokens: this.#maxAnswerTokens, signal };
    const answered = await this.#model.ask(judgeQuestion(prompt, shortlist), bounds);
    if (answered.kind === "failed") return answered;
    const { text, usage } = answered;
    const handles = parseSelection(text, shortlist);
    return handles === undefined
      ? { ...failed("nonsense", "the answer chooses nothing from the list"), usage }
      : { kind: "chosen", handles, usage };
  }
}
