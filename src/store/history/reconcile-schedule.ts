import type { Problem } from "../../errors/problem.ts";

/** A run starts this long after the last change, and at the latest that long after the first. */
const DELAY_MS = 250;
const MAX_DELAY_MS = 1_000;

/** When what follows from changes is done: never twice at once, and once for a burst of changes. */
export class ReconcileSchedule {
  readonly #run: () => Promise<Problem[]>;
  #running: Promise<Problem[]> | undefined;
  #isWantedAgain = false;
  #timer: NodeJS.Timeout | undefined;
  #since: number | undefined;

  constructor(run: () => Promise<Problem[]>) {
    this.#run = run;
  }

  /** Runs now, or once more after the run that is busy, which may have begun before the last change. */
  now(): Promise<Problem[]> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#since = undefined;
    if (this.#running) {
      this.#isWantedAgain = true;
      return this.#running;
    }
    this.#running = this.#loop().finally(() => (this.#running = undefined));
    return this.#running;
  }

  /** Runs after a change, without making the writer wait; trouble is told to whoever awaits `now` or `end`. */
  soon(): void {
    const now = performance.now();
    this.#since ??= now;
    clearTimeout(this.#timer);
    const waitMs = Math.min(DELAY_MS, Math.max(0, this.#since + MAX_DELAY_MS - now));
    this.#timer = setTimeout(() => {
      this.now().catch(() => undefined);
    }, waitMs);
  }

  /** Waits for what is planned or under way; runs nothing else. */
  end(): Promise<Problem[]> {
    return this.#timer === undefined ? (this.#running ?? Promise.resolve([])) : this.now();
  }

  async #loop(): Promise<Problem[]> {
    let problems: Problem[];
    do {
      this.#isWantedAgain = false;
      problems = await this.#run();
    } while (this.#isWantedAgain);
    return problems;
  }
}
