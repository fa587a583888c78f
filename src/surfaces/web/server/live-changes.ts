import { EventEmitter, once } from "node:events";
import type { Heed, WatchedPart } from "../../../heed.ts";

/** A request for changes is answered after this long in any case. */
const MAX_WAIT_MS = 25_000;

/** Tells pages what changed, by whomever, since they asked before. */
export class LiveChanges {
  readonly #heed: Heed;
  /** Counts changes; a page that has seen this one waits for the next. */
  #sequence = 0;
  readonly #changedAt = new Map<WatchedPart, number>();
  readonly #changes = new EventEmitter().setMaxListeners(0);
  #watching: Promise<() => void> | undefined;

  constructor(heed: Heed) {
    this.#heed = heed;
  }

  /** What changed since `seen`, as soon as something has; at once for a page that has seen nothing yet. */
  async since(seen: unknown): Promise<{ sequence: number; changed: WatchedPart[] }> {
    this.#watching ??= this.#heed.memories.watch((changed) => {
      this.#sequence += 1;
      for (const part of changed) this.#changedAt.set(part, this.#sequence);
      this.#changes.emit("change");
    });
    await this.#watching;
    if (seen === this.#sequence)
      await once(this.#changes, "change", { signal: AbortSignal.timeout(MAX_WAIT_MS) }).catch(() => {});
    const changed = [...this.#changedAt].flatMap(([part, at]) =>
      typeof seen === "number" && at > seen ? [part] : [],
    );
    return { sequence: this.#sequence, changed };
  }

  close(): void {
    this.#changes.emit("change");
    this.#watching?.then(
      (stop) => stop(),
      () => {},
    );
  }
}
