import { logTrouble } from "./trouble-log.ts";

/**
 * Work that must not hold up an answer: it is done when the answer is out, at the latest when heed is closed or the
 * next event comes. Trouble goes to the log: a receipt that cannot be written must not cost anybody a context.
 */
export class DeferredWork {
  readonly #env: Readonly<Record<string, string | undefined>>;
  #waiting: (() => void)[] = [];

  /** `env` names the directory of the log. */
  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.#env = env;
  }

  /** Puts work off until the event loop is free. */
  later(work: () => void): void {
    this.#waiting.push(work);
    if (this.#waiting.length === 1) setImmediate(() => this.finish());
  }

  /** Does all that waits, in order, now. */
  finish(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const work of waiting) {
      try {
        work();
      } catch (error) {
        logTrouble("afterwards", error, this.#env);
      }
    }
  }
}
