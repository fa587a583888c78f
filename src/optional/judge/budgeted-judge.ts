import type { Judge } from "./judge.ts";
import type { JudgeConfig } from "./judge-config.ts";
import { mostTokens } from "../model/model.ts";
import { judgeQuestion } from "./judge-question.ts";
import type { JudgeLedger } from "./judge-ledger.ts";
import type { AskedChoice, JudgeChoice } from "../../app/place/judge-source.ts";

/** Of the time that a prompt has, so much is kept for choosing and rendering, in milliseconds. */
const KEPT_MS = 120;
/** After so many answers that came too late for their prompt, prompts wait no longer: the next quick one ends that. */
const LATE_IN_A_ROW = 2;
/** After so many failures in a row the judge is left alone for a while: a wrong key stays wrong. */
const FAILURES_IN_A_ROW = 3;
const PAUSE_MS = 5 * 60_000;

/** What a judge inside its budget works with. */
export interface BudgetedJudgeParts {
  judge: Judge;
  config: JudgeConfig;
  ledger: JudgeLedger;
  now: () => Date;
  note(trouble: unknown): void;
}

/** Asks the judge inside its budget and deadline, keeps the ledger, and lets no trouble through. */
export class BudgetedJudge {
  readonly #parts: BudgetedJudgeParts;
  readonly #underWay = new Map<string, AbortController>();
  #lateInARow = 0;
  #failuresInARow = 0;
  #pausedUntilMs = 0;

  constructor(parts: BudgetedJudgeParts) {
    this.#parts = parts;
  }

  async choose(asked: AskedChoice, later: (choice: JudgeChoice) => void): Promise<JudgeChoice | undefined> {
    if (!this.#mayAsk(asked)) return undefined;
    this.forget(asked.session);
    const controller = new AbortController();
    this.#underWay.set(asked.session, controller);
    const startedAt = performance.now();
    const asking = this.#ask(asked, controller.signal);
    const { waitMs } = this.#parts.config;
    const isSlow = this.#lateInARow >= LATE_IN_A_ROW;
    const patienceMs = isSlow ? 0 : Math.min(waitMs, asked.deadlineAtMs - KEPT_MS - startedAt);
    let isWaiting = true;
    const answered = asking.then((choice) => {
      if (this.#underWay.get(asked.session) === controller) this.#underWay.delete(asked.session);
      const isQuick = performance.now() - startedAt <= waitMs;
      this.#lateInARow = isQuick ? 0 : this.#lateInARow + 1;
      if (choice && !isWaiting && !controller.signal.aborted) later(choice);
      return choice;
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, Math.max(0, patienceMs), undefined);
    });
    const choice = await Promise.race([answered, late]);
    isWaiting = false;
    clearTimeout(timer);
    return choice;
  }

  forget(session: string): void {
    this.#underWay.get(session)?.abort();
    this.#underWay.delete(session);
  }

  close(): void {
    for (const session of this.#underWay.keys()) this.forget(session);
  }

  #mayAsk({ session, shortlist, prompt }: AskedChoice): boolean {
    if (session === "" || shortlist.length === 0 || performance.now() < this.#pausedUntilMs) return false;
    const { ledger, config } = this.#parts;
    try {
      const { calls, tokens } = ledger.spent(session);
      return calls < config.maxCalls && tokens + this.#reserve(prompt, shortlist) <= config.maxTokens;
    } catch (error) {
      this.#parts.note(error);
      return false;
    }
  }

  #reserve(prompt: string, shortlist: AskedChoice["shortlist"]): number {
    return mostTokens(judgeQuestion(prompt, shortlist)) + this.#parts.config.maxAnswerTokens;
  }

  async #ask(asked: AskedChoice, signal: AbortSignal): Promise<JudgeChoice | undefined> {
    const { judge, config, ledger, now } = this.#parts;
    const startedAt = performance.now();
    try {
      // A call that cannot be written down is not made: its cost would be lost.
      const finish = ledger.begin(
        { session: asked.session, judge: judge.name, reserve: this.#reserve(asked.prompt, asked.shortlist) },
        now,
      );
      const judgement = await judge.select(asked.prompt, asked.shortlist, config.deadlineMs, signal);
      finish(judgement, performance.now() - startedAt);
      if (judgement.kind === "chosen") {
        this.#failuresInARow = 0;
        return { by: judge.name, handles: new Set(judgement.handles) };
      }
      if (!signal.aborted && ++this.#failuresInARow >= FAILURES_IN_A_ROW) {
        this.#failuresInARow = 0;
        this.#pausedUntilMs = performance.now() + PAUSE_MS;
        this.#parts.note(
          `${judge.name} is left alone for ${PAUSE_MS / 60_000} minutes: ${judgement.message}`,
        );
      }
    } catch (error) {
      this.#parts.note(error);
    }
    return undefined;
  }
}
