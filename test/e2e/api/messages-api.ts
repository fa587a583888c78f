import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { MessagesBody } from "./messages-body.ts";
import { requestKind, type RequestKind } from "./request-kind.ts";
import { messageOf, streamOf, type ScriptedTurn } from "./scripted-turn.ts";

/** One request as the client sent it. */
export interface RecordedRequest {
  kind: RequestKind;
  /** When its last byte arrived, on the clock of `performance.now()`. */
  atMs: number;
  body: MessagesBody;
}

/** A turn, or a function that does something at this moment of the session and then says what to answer. */
export type Turn = ScriptedTurn | ((request: RecordedRequest) => ScriptedTurn | Promise<ScriptedTurn>);

/** What the model says, in order, one turn for each request; when a list is used up it answers "ok". */
export interface ModelScript {
  turns?: readonly Turn[];
  subagentTurns?: readonly Turn[];
}

const COMPACT_SUMMARY = "<analysis>scripted</analysis>\n<summary>SCRIPTED COMPACT SUMMARY</summary>";

/**
 * A Messages API that answers from a script and records what it was asked.
 *
 * It listens on a Unix socket, which is reached from inside a network namespace too, so that it can live in the
 * process of the test and a turn can be a function (see loopback-relay.mjs for the way in).
 */
export class MessagesApi {
  readonly requests: RecordedRequest[] = [];
  /** What went wrong while answering, for the test to show. */
  readonly failures: unknown[] = [];
  readonly #main: Turn[];
  readonly #subagent: Turn[];
  readonly #server: Server;
  #serial = 0;
  #open = 0;

  private constructor(script: ModelScript) {
    this.#main = [...(script.turns ?? [])];
    this.#subagent = [...(script.subagentTurns ?? [])];
    this.#server = createServer((request, response) => {
      this.#respond(request, response).catch((error: unknown) => {
        this.failures.push(error);
        sendJson(response, 400, {
          type: "error",
          error: { type: "invalid_request_error", message: `script: ${String(error)}` },
        });
      });
    });
  }

  /** Starts to listen; rejects when the socket cannot be bound. */
  static async listen(socketPath: string, script: ModelScript): Promise<MessagesApi> {
    const api = new MessagesApi(script);
    await new Promise<void>((resolve, reject) => {
      api.#server.once("error", reject);
      api.#server.listen(socketPath, resolve);
    });
    return api;
  }

  /** Whether a request waits for its answer. */
  get isAnswering(): boolean {
    return this.#open > 0;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks).toString("utf8");
    const path = (request.url ?? "").split("?")[0];
    if (path === "/v1/messages/count_tokens") {
      return sendJson(response, 200, { input_tokens: Math.ceil(raw.length / 4) });
    }
    if (request.method !== "POST" || path !== "/v1/messages") return sendJson(response, 200, {});

    const body = JSON.parse(raw) as MessagesBody;
    const recorded: RecordedRequest = { kind: requestKind(body), atMs: performance.now(), body };
    this.requests.push(recorded);
    this.#open += 1;
    response.once("close", () => (this.#open -= 1));
    const turn = await this.#next(recorded);
    if (turn.delayMs !== undefined) await sleep(turn.delayMs);
    if (turn.error !== undefined) {
      const { status, ...error } = turn.error;
      return sendJson(response, status, { type: "error", error });
    }
    const message = messageOf(turn, body, ++this.#serial);
    if (body.stream !== true) return sendJson(response, 200, message);
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    response.end(streamOf(message));
  }

  async #next(request: RecordedRequest): Promise<ScriptedTurn> {
    if (request.kind === "compact") return { text: COMPACT_SUMMARY };
    if (request.kind === "side") return { text: "ok" };
    const turn = (request.kind === "main" ? this.#main : this.#subagent).shift() ?? { text: "ok" };
    return typeof turn === "function" ? await turn(request) : turn;
  }
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}
