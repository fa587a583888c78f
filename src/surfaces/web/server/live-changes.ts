import type { ServerResponse } from "node:http";
import type { Heed } from "../../../heed.ts";

/** A page and its tabs listen; more are none of the page's. */
const MAX_LISTENERS = 32;
/** A comment now and then: a browser that is gone is noticed when it cannot be written to. */
const HEARTBEAT_MS = 20_000;

/** Tells pages what changed, by server-sent events, as long as one listens. */
export class LiveChanges {
  readonly #heed: Heed;
  readonly #responses = new Map<ServerResponse, () => void>();
  #watching: Promise<() => void> | undefined;
  #heartbeat: NodeJS.Timeout | undefined;

  constructor(heed: Heed) {
    this.#heed = heed;
  }

  /** How many pages listen. */
  get listeners(): number {
    return this.#responses.size;
  }

  /** Keeps a response open and writes to it what changes; `onLeft` when the page is gone. */
  listen(response: ServerResponse, onLeft: () => void): void {
    const [oldest] = this.#responses.keys();
    if (this.#responses.size >= MAX_LISTENERS) oldest?.end();
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(": listening\n\n");
    this.#responses.set(response, onLeft);
    response.on("close", () => this.#leave(response));
    this.#watching ??= this.#heed.memories.watch((changed) => {
      for (const listener of this.#responses.keys()) listener.write(`data: ${JSON.stringify(changed)}\n\n`);
    });
    this.#heartbeat ??= setInterval(() => {
      for (const listener of this.#responses.keys()) listener.write(": still here\n\n");
    }, HEARTBEAT_MS).unref();
  }

  close(): void {
    for (const response of this.#responses.keys()) response.end();
    this.#responses.clear();
    this.#rest();
  }

  #leave(response: ServerResponse): void {
    this.#responses.get(response)?.();
    this.#responses.delete(response);
    if (this.#responses.size === 0) this.#rest();
  }

  #rest(): void {
    this.#watching?.then(
      (stop) => stop(),
      () => {},
    );
    this.#watching = undefined;
    clearInterval(this.#heartbeat);
    this.#heartbeat = undefined;
  }
}
