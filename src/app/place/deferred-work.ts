import { logTrouble } from "./trouble-log.ts";

/** A client takes 20 to 40 ms from a hook's answer to its request; what is written meanwhile takes from its processor. */
const CLIENT_SENDS_MS = 100;

/**
 * Work that must not hold up an answer: it is done when the answer is out, at the latest when heed is closed or the
 * next event comes. Trouble goes to the log: a receipt that cannot be written must not cost anybody a context.
 */
export class DeferredWork {
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #isResident: boolean;
  #waiting: (() => void)[] = [];

  /**
   * @param env - Names the directory of the log.
   * @param isResident - The process stays, beside its client. Default false.
   */
  constructor(env: Readonly<Record<string, string | undefined>>, isResident = false) {
    this.#env = env;
    this.#isResident = isResident;
  }

  /**
   * Puts work off until the event loop is free. Where the client now makes a request of the answer (`isRequestNext`), a
   * process that stays leaves it the time for that.
   */
  later(work: () => void, { isRequestNext = false }: { isRequestNext?: boolean } = {}): void {
    this.#waiting.push(work);
    if (isRequestNext && this.#isResident) setTimeout(() => this.finish(), CLIENT_SENDS_MS);
    else setImmediate(() => this.finish());
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
