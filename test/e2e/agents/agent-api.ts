import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { replyOf, type AgentStep, type Json } from "./agent-protocols.ts";

/** One request of a model, whichever protocol it came by. */
export interface AgentRequest {
  path: string;
  /** The whole body as text: what the model reads, and its tools. */
  text: string;
  /** The request comes after a tool's result. */
  isAfterTool: boolean;
}

/**
 * A model behind four protocols (Responses, chat completions, Messages, Gemini) that takes one step after another and
 * then says DONE. Listens on a Unix socket, as `MessagesApi` does, and keeps what it was asked.
 */
export class AgentApi {
  readonly requests: AgentRequest[] = [];
  readonly failures: unknown[] = [];
  /** What the model does, one step after another; more may be added while it runs. */
  readonly steps: AgentStep[];
  readonly #server: Server;

  private constructor(steps: readonly AgentStep[]) {
    this.steps = [...steps];
    this.#server = createServer((request, response) => {
      this.#respond(request, response).catch((error: unknown) => {
        this.failures.push(error);
        response.writeHead(500).end();
      });
    });
  }

  /** Starts to listen; rejects when the socket cannot be bound. */
  static async listen(socketPath: string, steps: readonly AgentStep[]): Promise<AgentApi> {
    const api = new AgentApi(steps);
    await new Promise<void>((resolve, reject) => {
      api.#server.once("error", reject);
      api.#server.listen(socketPath, resolve);
    });
    return api;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString("utf8");
    const path = (request.url ?? "").split("?")[0] ?? "";
    const body = request.method === "POST" && text !== "" ? (JSON.parse(text) as Json) : {};
    const reply = replyOf(path, request.url ?? "", body, this.steps);
    if (reply.isModelCall) this.requests.push({ path, text, isAfterTool: reply.isAfterTool });
    response.writeHead(200, { "content-type": reply.isStream ? "text/event-stream" : "application/json" });
    response.end(reply.text);
  }
}
