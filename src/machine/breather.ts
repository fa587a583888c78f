const SLICE_MS = 20;

/** Lets others of this process have their turn in work over many things: a page that answers, a server that listens. */
export class Breather {
  #heldSinceMs = performance.now();

  /** Whether the work has held on for long enough. Asked in a loop; `rest` is awaited only then, as a promise costs more. */
  get isDue(): boolean {
    return performance.now() - this.#heldSinceMs > SLICE_MS;
  }

  async rest(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#heldSinceMs = performance.now();
  }
}
