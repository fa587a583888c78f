/** The one thing that a process which stays does when nobody has said anything for a while. It keeps no process alive. */
export class IdleTimer {
  #timer: NodeJS.Timeout | undefined;

  /** Runs `work` after so many milliseconds, in place of what was set before. */
  set(waitMs: number, work: () => void): void {
    this.clear();
    this.#timer = setTimeout(work, waitMs);
    this.#timer.unref();
  }

  /** Somebody has said something: nothing is run. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
