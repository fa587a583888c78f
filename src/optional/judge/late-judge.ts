import type { EventOutcome } from "../../app/records/event-outcome.ts";
import type { AskedChoice, JudgeChoice, JudgeSource } from "../../app/place/judge-source.ts";
import type { BudgetedJudge } from "./budgeted-judge.ts";

/** Sessions whose late choice is kept; one process serves a session and its worktrees. */
const MAX_KEPT = 16;

/**
 * A judge whose configuration is read, and whose code is loaded, when the first prompt would ask it: where the user set
 * up none, nothing more than this is there.
 */
export class LateJudge implements JudgeSource {
  readonly #open: () => Promise<BudgetedJudge | undefined>;
  readonly #kept = new Map<string, EventOutcome>();
  #opening: Promise<BudgetedJudge | undefined> | undefined;
  #judge: BudgetedJudge | undefined;
  #isOff = false;

  /** `open` resolves with undefined when there is no judge, and does not reject. */
  constructor(open: () => Promise<BudgetedJudge | undefined>) {
    this.#open = open;
  }

  get isOff(): boolean {
    return this.#isOff;
  }

  async choose(asked: AskedChoice, later: (choice: JudgeChoice) => void): Promise<JudgeChoice | undefined> {
    this.#opening ??= this.#open();
    this.#judge = await this.#opening;
    this.#isOff = this.#judge === undefined;
    return this.#judge?.choose(asked, later);
  }

  keep(session: string, outcome: EventOutcome): void {
    this.#kept.delete(session);
    this.#kept.set(session, outcome);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MAX_KEPT) break;
      this.#kept.delete(oldest);
    }
  }

  takeLate(session: string): EventOutcome | undefined {
    const late = this.#kept.get(session);
    this.#kept.delete(session);
    return late;
  }

  forget(session: string): void {
    this.#kept.delete(session);
    this.#judge?.forget(session);
  }

  async close(): Promise<void> {
    this.#kept.clear();
    (await this.#opening)?.close();
  }
}
