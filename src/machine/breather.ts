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

/** What some slices hold, with a rest where one is due; of those alone that came until `untilMs` of `performance.now()`. */
export async function inTurns<T>(slices: Iterable<readonly T[]>, untilMs = Infinity): Promise<T[]> {
  const breather = new Breather();
  const all: T[] = [];
  for (const slice of slices) {
    for (const one of slice) all.push(one);
    if (performance.now() > untilMs) break;
    if (breather.isDue) await breather.rest();
  }
  return all;
}
