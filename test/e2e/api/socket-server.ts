import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

/**
 * A server on a Unix socket, which is reached from inside a network namespace too: it lives in the process of the test
 * (loopback-relay.mjs is the way in).
 */
export abstract class SocketServer {
  /** What went wrong while answering, for the test to show. */
  readonly failures: unknown[] = [];
  readonly #server: Server = createServer((request, response) => {
    this.#answer(request, response).catch((error: unknown) => {
      this.failures.push(error);
      const failed = { type: "invalid_request_error", message: `script: ${String(error)}` };
      sendJson(response, 400, { type: "error", error: failed });
    });
  });

  protected abstract respond(request: IncomingMessage, response: ServerResponse, text: string): Promise<void>;

  async listen(socketPath: string): Promise<this> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(socketPath, resolve);
    });
    return this;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    await this.respond(request, response, Buffer.concat(chunks).toString("utf8"));
  }
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}
