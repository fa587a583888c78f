import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type IncomingMessage, type Server, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type Actor, type Heed, HeedError, logTrouble, redactValue } from "../../../heed.ts";
import { admitCall, admitRequest, Keys, TurnedAway } from "./admit-request.ts";
import { callFor } from "./calls.ts";

export interface ServerOptions {
  heed: Heed;
  /** Whose answer the page's buttons are: who started the server. */
  actor: Actor;
  env: Readonly<Record<string, string | undefined>>;
  directory: string;
  /** Default 0: a free one. */
  port?: number | undefined;
  /** It ends after this long without a request. */
  idleMs: number;
}

export interface RunningServer {
  port: number;
  /** An address for one entry within two minutes; voids the one before it. */
  newAddress(): string;
  ended: Promise<"idle" | "closed">;
  close(): void;
}

/** More than a memory with its front matter. */
const MAX_BODY_BYTES = 2 * 1024 * 1024;
/** A page has a few calls at a time. */
const MAX_CONNECTIONS = 100;
/** Bounds for requests that stop halfway. */
const TIMEOUTS = { headersTimeout: 3_000, requestTimeout: 5_000, connectionsCheckingInterval: 1_000 };

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'none'",
  // The page makes no markup of text.
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

/** Serves the page and its calls on the loopback address. @throws HeedError `io-failed` when the port is taken. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { heed, actor, env, idleMs } = options;
  const files = readPageFiles(options.directory);
  const keys = new Keys();
  const server = createServer(TIMEOUTS);
  server.maxConnections = MAX_CONNECTIONS;
  const port = await listen(server, options.port ?? 0);

  let why: "idle" | "closed" = "closed";
  const ended = once(server, "close").then(() => why);
  const close = (): void => {
    clearTimeout(idle);
    server.close();
    server.closeAllConnections();
  };
  const idle = setTimeout(() => {
    why = "idle";
    close();
  }, idleMs);

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { path, origin } = admitRequest(request, port);
    if (!path.startsWith("/api/")) return sendFile(files.get(path), request, response);
    admitCall(request, origin);
    const key = String(request.headers["x-heed-key"]);
    if (path === "/api/enter") return enter(keys, key, response);
    if (!keys.isKey(key)) throw new TurnedAway(401, "the key is missing or wrong");
    idle.refresh();
    const given = await readArguments(request);
    send(response, 200, { answer: await callFor(heed, actor, path.slice("/api/".length), given) });
  };
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    respond(request, response).catch((error: unknown) => {
      if (response.headersSent) return void response.destroy();
      if (error instanceof TurnedAway) {
        response.writeHead(error.status, {
          "content-type": "text/plain; charset=utf-8",
          connection: "close",
        });
        return void response.end(`${error.message}\n`);
      }
      if (error instanceof HeedError) {
        const { code, message, data } = error;
        return send(response, 422, { error: { code, message, data } });
      }
      logTrouble(`ui ${request.url?.split("?")[0]}`, error, env);
      const message = "something in heed went wrong; heed.log says what";
      send(response, 500, { error: { code: "bug", message } });
    });
  });
  // No HTTP, too slow, or too large a head: no answer.
  server.on("clientError", (_error, socket) => socket.destroy());
  return {
    port,
    newAddress: () => `http://127.0.0.1:${port}/#ticket=${keys.newTicket()}`,
    ended,
    close,
  };
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening").catch((error: NodeJS.ErrnoException) => {
    const why = error.code === "EADDRINUSE" ? "something else listens there" : error.message;
    const message = `the page cannot be served on port ${port}: ${why}. Leave --port out, and a free one is taken.`;
    throw new HeedError("io-failed", message, { operation: "listen", port }, { cause: error });
  });
  return (server.address() as AddressInfo).port;
}

function sendFile(file: PageFile | undefined, { method }: IncomingMessage, response: ServerResponse): void {
  if (!file) throw new TurnedAway(404, "there is nothing here");
  if (method !== "GET" && method !== "HEAD") throw new TurnedAway(405, "GET");
  response.writeHead(200, { "content-type": file.type, "content-length": file.bytes.length });
  response.end(method === "HEAD" ? undefined : file.bytes);
}

function enter(keys: Keys, ticket: string, response: ServerResponse): void {
  const answer = keys.redeem(ticket);
  if (answer === undefined)
    throw new TurnedAway(401, "this address was used, is not the newest, or is older than two minutes");
  // Not by `send`: a key can look like somebody's secret, and would be redacted.
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ answer }));
}

async function readArguments(request: IncomingMessage): Promise<unknown[]> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > MAX_BODY_BYTES) break;
    parts.push(part);
  }
  try {
    const value: unknown = bytes <= MAX_BODY_BYTES && JSON.parse(Buffer.concat(parts).toString("utf8"));
    if (Array.isArray(value)) return value as unknown[];
  } catch {
    // As what is no list.
  }
  throw new TurnedAway(400, "the body has to be a JSON list of arguments");
}

function send(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(redactValue(value)));
}

const FILES = {
  "index.html": "text/html; charset=utf-8",
  "page.js": "text/javascript; charset=utf-8",
  "style.css": "text/css; charset=utf-8",
  "icon.svg": "image/svg+xml",
};

interface PageFile {
  type: string;
  bytes: Buffer;
}

function readPageFiles(directory: string): ReadonlyMap<string, PageFile> {
  const files = new Map<string, PageFile>();
  for (const [name, type] of Object.entries(FILES)) {
    const file = join(directory, name);
    try {
      files.set(name === "index.html" ? "/" : `/${name}`, { type, bytes: readFileSync(file) });
    } catch (error) {
      const message = `${file} cannot be read: it belongs to the installation of heed. Install heed again; in a checkout, npm run build.`;
      throw new HeedError("io-failed", message, { operation: "read", file }, { cause: error });
    }
  }
  return files;
}
