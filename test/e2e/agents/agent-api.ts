import type { IncomingMessage, ServerResponse } from "node:http";
import { SocketServer } from "../api/socket-server.ts";
import { replyOf, type AgentStep, type Json } from "./agent-protocols.ts";

/** One request of a model, whichever protocol it came by. */
export interface AgentRequest {
  path: string;
  /** The whole body as text: what the model reads, and its tools. */
  text: string;
  isAfterTool: boolean;
}

/**
 * A model behind three protocols (Responses, chat completions, Gemini) that takes one step after another and
 * then says DONE; more steps may be added while it runs.
 */
export class AgentApi extends SocketServer {
  readonly requests: AgentRequest[] = [];
  readonly steps: AgentStep[];

  constructor(steps: readonly AgentStep[]) {
    super();
    this.steps = [...steps];
  }

  protected async respond(request: IncomingMessage, response: ServerResponse, text: string): Promise<void> {
    const url = request.url ?? "";
    const path = url.split("?")[0] ?? "";
    const body = request.method === "POST" && text !== "" ? (JSON.parse(text) as Json) : {};
    const reply = replyOf(path, url, body, this.steps);
    if (reply.isModelCall) this.requests.push({ path, text, isAfterTool: reply.isAfterTool });
    response.writeHead(200, { "content-type": reply.isStream ? "text/event-stream" : "application/json" });
    response.end(reply.text);
  }
}
