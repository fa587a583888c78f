/** What a client's tool hook told of a call that its model is about to make. */
export interface CallBinding {
  session: string;
  /** The subagent that makes it. */
  agent?: string;
  cwd: string;
}

/**
 * A binding is kept for this long: the client may ask the user whether the tool may run, and a call that asks the user
 * itself is made again with their answer.
 */
const KEPT_MS = 10 * 60_000;
const MAX_KEPT = 200;
/** A call waits this long for its hook, in case it comes first. */
const WAIT_MS = 300;
const LOOK_MS = 10;

/**
 * Which session a model's call belongs to. The client's hook of heed's own tools names the call by an id, and the call
 * carries the same id: nothing of it is the model's to say.
 */
export class CallBindings {
  readonly #kept = new Map<string, CallBinding & { until: number }>();

  /** A hook told of a call. */
  bind(id: string, binding: CallBinding): void {
    const now = Date.now();
    for (const [old, { until }] of this.#kept) {
      if (until > now && this.#kept.size < MAX_KEPT) break;
      this.#kept.delete(old);
    }
    this.#kept.set(id, { ...binding, until: now + KEPT_MS });
  }

  /** What was told of a call; undefined when nothing is told of it in time. */
  async of(id: string): Promise<CallBinding | undefined> {
    if (id === "") return undefined;
    for (const end = Date.now() + WAIT_MS; ;) {
      const found = this.#kept.get(id);
      if (found !== undefined) return found.until > Date.now() ? found : undefined;
      if (Date.now() >= end) return undefined;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }
}
