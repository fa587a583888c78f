import type { IncomingHttpHeaders, Server, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { onTestFinished } from "vitest";

export type Protocol = "anthropic" | "openai";

/** One question as the server got it. */
export interface AskedQuestion {
  path: string;
  headers: IncomingHttpHeaders;
  body: {
    model: string;
    max_tokens?: number;
    system?: string;
    messages: { role: string; content: string }[];
  };
}

/** How the server answers: with a text, after a while, or in one of the ways in which servers fail. */
export type Answer =
  | { text: string; delayMs?: number; withoutUsage?: boolean }
  | { status: number; location?: string }
  | { body: string }
  | { failure: "drip" | "huge" | "bomb" | "hang-up" | "silence" };

/** A server of its own that speaks both protocols, as far as heed asks it. */
export class ModelServer {
  readonly asked: AskedQuestion[] = [];
  /** What comes next; a function is asked each time. */
  answer: Answer | ((question: AskedQuestion) => Answer) = { text: "[]" };
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as AskedQuestion["body"];
        const question = { path: request.url ?? "", headers: request.headers, body };
        this.asked.push(question);
        const answer = typeof this.answer === "function" ? this.answer(question) : this.answer;
        respond(response, answer, question).catch(() => response.destroy());
      });
    });
  }

  /** Listens on the loopback device until the test is over. */
  static async listen(): Promise<ModelServer> {
    const server = new ModelServer();
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.#server.close().closeAllConnections();
    });
    return server;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The base address as a provider's configuration names it. */
  url(protocol: Protocol): string {
    return protocol === "openai" ? `${this.address}/v1` : this.address;
  }
}

async function respond(response: ServerResponse, answer: Answer, question: AskedQuestion): Promise<void> {
  const json = { "content-type": "application/json" };
  if ("status" in answer) {
    const location = answer.location === undefined ? {} : { location: answer.location };
    response
      .writeHead(answer.status, { ...json, ...location })
      .end('{"error":{"message":"sk-secret echoed"}}');
  } else if ("body" in answer) {
    response.writeHead(200, json).end(answer.body);
  } else if ("failure" in answer) {
    await fail(response, answer.failure, json);
  } else {
    if (answer.delayMs !== undefined) await sleep(answer.delayMs);
    response.writeHead(200, json).end(JSON.stringify(envelope(answer, question)));
  }
}

async function fail(
  response: ServerResponse,
  failure: Extract<Answer, { failure: string }>["failure"],
  json: Record<string, string>,
): Promise<void> {
  switch (failure) {
    case "drip":
      response.writeHead(200, json);
      while (!response.destroyed) {
        response.write(" ");
        await sleep(20);
      }
      return;
    case "huge":
      response.writeHead(200, json);
      for (let i = 0; i < 400 && !response.destroyed; i++) {
        if (!response.write(" ".repeat(64 * 1024))) await sleep(1);
      }
      response.end();
      return;
    case "bomb":
      response
        .writeHead(200, { ...json, "content-encoding": "gzip" })
        .end(gzipSync(Buffer.alloc(64 * 1024 * 1024, 0x20)));
      return;
    case "hang-up":
      response.writeHead(200, { ...json, "content-length": "1000" });
      response.write('{"choices": [');
      await sleep(20);
      response.destroy();
      return;
    case "silence":
  }
}

/** An answer as the protocol that was asked in wraps it. */
function envelope(
  { text, withoutUsage }: Extract<Answer, { text: string }>,
  { path }: AskedQuestion,
): object {
  if (path === "/v1/messages")
    return {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "m-1",
      content: [{ type: "text", text }],
      stop_reason: "end_turn",
      stop_sequence: null,
      ...(withoutUsage !== true && {
        usage: {
          input_tokens: 300,
          cache_creation_input_tokens: 0,
          cache_read_input_tokens: 11,
          output_tokens: 12,
        },
      }),
    };
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model: "m-1",
    choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" }],
    ...(withoutUsage !== true && { usage: { prompt_tokens: 311, completion_tokens: 12, total_tokens: 323 } }),
  };
}
