import type { IncomingMessage, ServerResponse } from "node:http";
import type { MessagesBody } from "./messages-body.ts";
import { requestKind, type RequestKind } from "./request-kind.ts";
import { sendJson, SocketServer } from "./socket-server.ts";
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

/** A Messages API that answers from a script and records what it was asked. */
export class MessagesApi extends SocketServer {
  readonly requests: RecordedRequest[] = [];
  readonly #main: Turn[];
  readonly #subagent: Turn[];
  #serial = 0;
  #open = 0;

  constructor(script: ModelScript) {
    super();
    this.#main = [...(script.turns ?? [])];
    this.#subagent = [...(script.subagentTurns ?? [])];
  }

  get isAnswering(): boolean {
    return this.#open > 0;
  }

  protected async respond(request: IncomingMessage, response: ServerResponse, raw: string): Promise<void> {
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
    const message = messageOf(turn, body.model ?? "scripted", ++this.#serial);
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
