import type { AskedLesson, LearnerSource, LearntItem } from "../../app/place/learner-source.ts";
import type { LearnStatus } from "../../app/api/learn-status.ts";
import type { Place } from "../../app/place/place.ts";
import { readLearnSetting } from "../../app/place/learn-mode.ts";
import { logTrouble } from "../../app/place/trouble-log.ts";
import type { Model } from "../model/model.ts";
import { mostTokens } from "../model/model.ts";
import { openModel } from "../model/open-model.ts";
import type { LearnConfig } from "./learn-config.ts";
import { readLearnConfig } from "./learn-config.ts";
import { learnQuestion, parseLesson } from "./learn-question.ts";
import { LearnLedger } from "./learn-ledger.ts";

type Machine = Pick<Place, "env" | "places" | "now">;

/** The model that the user set up to read sessions afterwards, or why there is none. */
export type ConfiguredLearner =
  | { mode: "model"; model: Model; config: LearnConfig }
  | { mode: "off"; problems: string[] };

/** The model that the user's configuration names; off where that cannot be used. */
export function configuredLearner(machine: Pick<Machine, "env" | "places">): ConfiguredLearner {
  const { mode, model: named, problems } = readLearnSetting(machine);
  if (mode === "off" || named === undefined) return { mode: "off", problems };
  const read = readLearnConfig(named);
  if (!read.config) return { mode: "off", problems: read.problems };
  const model = openModel(read.config, machine.env);
  return "missing" in model
    ? { mode: "off", problems: [model.missing] }
    : { mode: "model", model, config: read.config };
}

/** Asks the configured model inside its day's budget, and lets no trouble through. */
export class Learner implements LearnerSource {
  readonly #machine: Machine;
  readonly #model: Model;
  readonly #config: LearnConfig;
  readonly #ledger: LearnLedger;

  constructor(machine: Machine, model: Model, config: LearnConfig) {
    this.#machine = machine;
    this.#model = model;
    this.#config = config;
    this.#ledger = new LearnLedger(machine.places);
  }

  async learn(asked: AskedLesson): Promise<LearntItem[] | undefined> {
    const { now, env } = this.#machine;
    const { deadlineMs, maxAnswerTokens, maxCalls, maxTokens } = this.#config;
    try {
      const question = learnQuestion(asked);
      const reserve = mostTokens(question) + maxAnswerTokens;
      const spent = this.#ledger.spent(now().toISOString().slice(0, 10));
      if (spent.calls >= maxCalls || spent.tokens + reserve > maxTokens) return undefined;
      // A call that cannot be written down is not made: its cost would be lost.
      const finish = this.#ledger.begin({ session: asked.session, model: this.#model.name, reserve }, now());
      const startedAt = performance.now();
      const { signal } = asked;
      const answer = await this.#model.ask(question, { deadlineMs, maxAnswerTokens, signal });
      const items = answer.kind === "answered" ? parseLesson(answer.text) : undefined;
      finish({
        time: now(),
        outcome: answer.kind === "failed" ? answer.failure : items === undefined ? "nonsense" : "answered",
        items: items?.length ?? 0,
        message: answer.kind === "failed" ? answer.message : undefined,
        usage: answer.usage,
        elapsedMs: performance.now() - startedAt,
      });
      if (answer.kind === "failed") logTrouble("learn", `${this.#model.name}: ${answer.message}`, env);
      return answer.kind === "failed" ? undefined : (items ?? []);
    } catch (error) {
      logTrouble("learn", error, env);
      return undefined;
    }
  }
}

/** The learner of this machine; undefined where none is set up, or a broken one, which the log tells. */
export function openLearner(machine: Machine): LearnerSource | undefined {
  const configured = configuredLearner(machine);
  if (configured.mode === "model") return new Learner(machine, configured.model, configured.config);
  if (configured.problems.length > 0) logTrouble("learn", configured.problems.join("; "), machine.env);
  return undefined;
}

/** How learning by a model stands and what it costs today. Asks nobody. */
export function learnStatus(machine: Machine): LearnStatus {
  const configured = configuredLearner(machine);
  const isSaid = readLearnSetting(machine).isSaid === true;
  const today = new LearnLedger(machine.places).spent(machine.now().toISOString().slice(0, 10));
  if (configured.mode === "off") return { mode: "off", isSaid, problems: configured.problems, today };
  const { model, config } = configured;
  const budget = { calls: config.maxCalls, tokens: config.maxTokens };
  return { mode: "model", isSaid, model: model.name, budget, problems: [], today };
}
