import { type IncomingMessage, type Server, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as turnOfOthers } from "node:timers/promises";
import { type Actor, type Heed, HeedError, logTrouble, redactValue } from "../../../heed.ts";
import { admitCall, admitRequest, Keys } from "./admit-request.ts";
import { callFor } from "./calls.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** How to serve the page. */
export interface ServerOptions {
  heed: Heed;
  /** Whose word the page's buttons are: who started the server. */
  actor: Actor;
  env: Readonly<Record<string, string | undefined>>;
  /** Where the files of the page are. */
  directory: string;
  /** Default 0: a free one. */
  port?: number;
  /** It ends after this long without a request and without a page that listens. */
  idleMs: number;
}

/** A server that runs. */
export interface RunningServer {
  port: number;
  /** An address that opens the page once, within two minutes; the one before it opens nothing any more. */
  newAddress(): string;
  /** Resolves when the server has ended: idle, or closed. */
  ended: Promise<"idle" | "closed">;
  close(): void;
}

/** A memory with its front matter is smaller: `LIMITS` bounds it. */
const MAX_BODY_BYTES = 2 * 1024 * 1024;
/** A page has one stream and a few calls at a time. */
const MAX_CONNECTIONS = 100;
/** From this machine a request comes whole at once; what stops halfway holds a connection no longer than this. */
const TIMEOUTS = { headersTimeout: 3_000, requestTimeout: 5_000, connectionsCheckingInterval: 1_000 };
/** Rows of a list that are sent at once: some ten milliseconds of work. */
const ROWS_AT_ONCE = 200;

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'none'",
  // The page makes no markup of text; where the browser can, it is held to that.
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
  "cache-control": "no-store",
};

/**
 * Serves the page and its interface on the loopback address, to this machine's user alone.
 *
 * @throws HeedError `io-failed` when the port is taken.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { heed, actor, env, idleMs } = options;
  const files = readPageFiles(options.directory);
  const keys = new Keys();
  const live = new LiveChanges(heed);
  const server = createServer(TIMEOUTS);
  server.maxConnections = MAX_CONNECTIONS;
  const port = await listen(server, options.port ?? 0);

  let lastUsedMs = performance.now();
  const use = (): void => {
    lastUsedMs = performance.now();
  };
  let end: (why: "idle" | "closed") => void = () => {};
  const ended = new Promise<"idle" | "closed">((resolve) => (end = resolve));
  const close = (why: "idle" | "closed"): void => {
    clearInterval(idleCheck);
    live.close();
    server.close();
    server.closeAllConnections();
    end(why);
  };
  const idleCheck = setInterval(
    () => {
      if (live.listeners > 0) use();
      else if (performance.now() - lastUsedMs >= idleMs) close("idle");
    },
    Math.min(1_000, idleMs),
  );

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    const admitted = admitRequest(request, port);
    if ("status" in admitted) return turnAway(response, admitted.status, admitted.why);
    const { path, origin } = admitted;
    if (!path.startsWith("/api/")) {
      const file = files.get(path);
      if (!file) return turnAway(response, 404, "there is nothing here");
      if (request.method !== "GET" && request.method !== "HEAD") return turnAway(response, 405, "GET");
      response.writeHead(200, { "content-type": file.type, "content-length": file.bytes.length });
      response.end(request.method === "HEAD" ? undefined : file.bytes);
      return;
    }
    const refusal = admitCall(request, origin);
    if (refusal) return turnAway(response, refusal.status, refusal.why);
    const given = request.headers["x-heed-key"];
    const key = typeof given === "string" ? given : undefined;
    if (path === "/api/enter") return enter(keys, key, response);
    if (!keys.isKey(key)) return turnAway(response, 401, "the key is missing or wrong");
    use();
    if (path === "/api/live") {
      live.listen(response, use);
      return;
    }
    const args = await readArguments(request);
    if (!args) return turnAway(response, 400, "the body has to be a JSON list of arguments");
    let answered: Awaited<ReturnType<typeof callFor>>;
    try {
      answered = await callFor(heed, actor, path.slice("/api/".length), args);
    } catch (error) {
      const shown = errorOf(error);
      if (shown.code === "bug") logTrouble(`ui ${path}`, error, env);
      return send(response, shown.code === "bug" ? 500 : 422, { error: shown });
    }
    if (!answered) return turnAway(response, 404, "there is no such call");
    if (Array.isArray(answered.answer)) return sendRows(response, answered.answer);
    send(response, 200, answered);
  };
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    answer(request, response).catch((error: unknown) => {
      logTrouble("ui", error, env);
      response.destroy();
    });
  });
  // What is no HTTP, or too slow or large a head, gets no answer of heed's.
  server.on("clientError", (_error, socket) => socket.destroy());
  return {
    port,
    newAddress: () => `http://127.0.0.1:${port}/#ticket=${keys.newTicket()}`,
    ended,
    close: () => close("closed"),
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const why = error.code === "EADDRINUSE" ? "something else listens there" : error.message;
      const message = `the page cannot be served on port ${port}: ${why}. Leave --port out, and a free one is taken.`;
      reject(new HeedError("io-failed", message, { operation: "listen", port }, { cause: error }));
    });
    server.listen(port, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

/** A ticket, in the header of the key, for the key. */
function enter(keys: Keys, ticket: string | undefined, response: ServerResponse): void {
  const key = ticket === undefined ? undefined : keys.redeem(ticket);
  if (key === undefined)
    return turnAway(
      response,
      401,
      "this address was used before, is not the newest, or is older than two minutes",
    );
  // Not by `send`: a key may look like somebody's secret, and would be redacted.
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ answer: key }));
}

async function readArguments(request: IncomingMessage): Promise<unknown[] | undefined> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > MAX_BODY_BYTES) return undefined;
    parts.push(part);
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(parts).toString("utf8"));
    return Array.isArray(value) ? (value as unknown[]) : undefined;
  } catch {
    return undefined;
  }
}

/** What the page is told of an error. A fault of heed's own is named, and described in heed's log. */
function errorOf(error: unknown): { code: string; message: string; data?: unknown } {
  if (error instanceof HeedError) return { code: error.code, message: error.message, data: error.data };
  return { code: "bug", message: "something in heed went wrong; heed.log says what" };
}

function turnAway(response: ServerResponse, status: number, why: string): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8", connection: "close" });
  response.end(`${why}\n`);
}

/** Sends a list piece by piece, so that others have their turn: twenty thousand rows take a second to be looked through. */
async function sendRows(response: ServerResponse, rows: readonly unknown[]): Promise<void> {
  response.writeHead(200, { "content-type": "application/json" });
  response.write('{"answer":[');
  for (let at = 0; at < rows.length && !response.destroyed; at += ROWS_AT_ONCE) {
    const piece = JSON.stringify(redactValue(rows.slice(at, at + ROWS_AT_ONCE)));
    response.write(`${at === 0 ? "" : ","}${piece.slice(1, -1)}`);
    await turnOfOthers();
  }
  response.end("]}");
}

/** Every answer is without secrets, as everywhere in heed. */
function send(response: ServerResponse, status: number, value: unknown): void {
  const bytes = Buffer.from(JSON.stringify(redactValue(value)));
  response.writeHead(status, { "content-type": "application/json", "content-length": bytes.length });
  response.end(bytes);
}

/** A file of the page, whole in memory: what is not in this table is not served. */
export interface PageFile {
  type: string;
  bytes: Buffer;
}

const FILES: readonly (readonly [path: string, name: string, type: string])[] = [
  ["/", "index.html", "text/html; charset=utf-8"],
  ["/page.js", "page.js", "text/javascript; charset=utf-8"],
  ["/style.css", "style.css", "text/css; charset=utf-8"],
  ["/icon.svg", "icon.svg", "image/svg+xml"],
];

/**
 * The files of the page by their path.
 *
 * @throws HeedError `io-failed` when the installation lacks them.
 */
export function readPageFiles(directory: string): ReadonlyMap<string, PageFile> {
  return new Map(
    FILES.map(([path, name, type]) => {
      try {
        return [path, { type, bytes: readFileSync(join(directory, name)) }];
      } catch (error) {
        throw new HeedError(
          "io-failed",
          `${join(directory, name)} cannot be read: it belongs to the installation of heed. Install heed again; in a checkout, npm run build.`,
          { operation: "read", file: join(directory, name) },
          { cause: error },
        );
      }
    }),
  );
}

/** More listeners than a page and its tabs are not the page's. */
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
