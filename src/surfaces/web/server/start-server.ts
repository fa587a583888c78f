import { type IncomingMessage, type Server, type ServerResponse, createServer } from "node:http";
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import {
  type Actor,
  type Heed,
  HeedError,
  METHODS,
  logTrouble,
  redactValue,
  findPlaces,
} from "../../../heed.ts";
import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

/** Why a request is not answered; the page itself never sends such a one. */
export class TurnedAway extends Error {
  readonly status: number;

  constructor(status: number, why: string) {
    super(why);
    this.status = status;
  }
}

const FORWARDED = "forwarded x-forwarded-for x-forwarded-host x-forwarded-proto x-real-ip via".split(" ");

/** Lets in what a browser on this machine sends to this address; after DNS rebinding `Host` alone gives a foreign page away. */
export function admitRequest(request: IncomingMessage, port: number): { path: string; origin: string } {
  const { headers, rawHeaders, socket, url = "" } = request;
  if (!/^(?:::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? ""))
    throw new TurnedAway(403, "heed ui answers this machine alone");
  const hosts = rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === "host").length;
  const host = headers.host ?? "";
  if (hosts !== 1 || ![`127.0.0.1:${port}`, `localhost:${port}`].includes(host))
    throw new TurnedAway(421, `Host has to be 127.0.0.1:${port}`);
  const proxy = FORWARDED.find((name) => headers[name] !== undefined);
  if (proxy !== undefined) throw new TurnedAway(403, `heed ui does not answer through a proxy (${proxy})`);
  const origin = `http://${host}`;
  // One slash: `//evil/` and `http://evil/` name another host.
  const parsed = /^\/(?!\/)/.test(url) && URL.canParse(url, origin) ? new URL(url, origin) : undefined;
  if (parsed?.origin !== origin) throw new TurnedAway(400, "the address cannot be read");
  return { path: parsed.pathname, origin };
}

function admitCall({ headers, method }: IncomingMessage, origin: string): void {
  if (method !== "POST") throw new TurnedAway(405, "POST");
  if (headers.origin !== origin) throw new TurnedAway(403, "Origin has to be the page's own");
  if ((headers["sec-fetch-site"] ?? "same-origin") !== "same-origin")
    throw new TurnedAway(403, "the request comes from another site");
  if (!/^application\/json(?:; ?charset=utf-8)?$/i.test(headers["content-type"] ?? ""))
    throw new TurnedAway(415, "Content-Type has to be application/json");
}

/** Long enough to copy an address into another browser. */
const TICKET_MS = 120_000;

/** A key for the page, given for a ticket: one entry, the newest ticket alone, so no address left in a history opens it. */
export class Keys {
  readonly #key: string = newSecret();
  #ticket: { secret: string; endsMs: number } | undefined;

  /** A ticket for one entry within two minutes; voids the one before it. */
  newTicket(): string {
    this.#ticket = { secret: newSecret(), endsMs: performance.now() + TICKET_MS };
    return this.#ticket.secret;
  }

  /** The key, for the newest ticket while it is unused. */
  redeem(ticket: string): string | undefined {
    const newest = this.#ticket;
    if (!newest || performance.now() > newest.endsMs || !isSame(newest.secret, ticket)) return undefined;
    this.#ticket = undefined;
    return this.#key;
  }

  isKey(given: string): boolean {
    return isSame(this.#key, given);
  }
}

function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

function isSame(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

/** A person's alone, though the method does not ask who it is. */
const PERSONS: readonly string[] = ["setup.trust"];
/** The page gives the hash that it has seen as the last argument, since the method takes none. */
const AS_SEEN: readonly string[] = ["memories.remove", "memories.rename"];

/** Calls a method for the page, as whoever started the server. @throws TurnedAway where the page may call none of that name. */
async function callFor(heed: Heed, actor: Actor, name: string, given: readonly unknown[]): Promise<unknown> {
  const declared = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
  if (declared?.isForPage !== true) throw new TurnedAway(404, "there is no such call");
  const args = Object.entries(declared.takes).map(([argument, { properties }], i) => {
    if (argument === "actor") return actor;
    return properties && Object.hasOwn(properties, "reader") ? { reader: actor } : (given[i] ?? undefined);
  });
  if (PERSONS.includes(name) && actor.kind !== "person")
    throw new HeedError(
      "gate-refused",
      "this is a person's to decide, and an agent started this page: run heed ui in a terminal of your own",
      { gate: "user-word" },
    );
  if (AS_SEEN.includes(name)) {
    const { metadata } = await heed.memories.show(given[0] as string);
    if (metadata.contentHash !== given[2]) {
      const message = `${metadata.name} was changed since this page showed it: look at it again, then decide`;
      throw new HeedError("changed-outside", message, { file: metadata.file });
    }
  }
  const [group = "", method = ""] = name.split(".");
  const methods = (heed as unknown as Record<string, Record<string, (...args: unknown[]) => unknown>>)[group];
  return methods?.[method]?.(...args);
}

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

export interface PageRequest extends Omit<ServerOptions, "idleMs"> {
  /** Told once the page is served, and each time that another address is made. */
  onServed: (served: { address: string; port: number }) => void;
}

/** A window that is only left open asks nothing. */
const IDLE_MS = 4 * 3_600_000;

/** Serves the page until idle or a signal; resolves to why it ended. Enter asks for another address: each is good once. */
export async function servePage(request: PageRequest): Promise<"idle" | "closed"> {
  requireOwnState(request.env);
  const server = await startServer({ ...request, idleMs: IDLE_MS });
  const announce = (): void => request.onServed({ address: server.newAddress(), port: server.port });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => server.close());
  announce();
  if (process.stdin.isTTY) process.stdin.on("data", announce);
  const why = await server.ended;
  process.stdin.pause();
  return why;
}

/** The page acts as the user whose memories these are: no other one, least of all root, may serve it. */
function requireOwnState(env: PageRequest["env"]): void {
  const { state } = findPlaces(env);
  const owner = statSync(state, { throwIfNoEntry: false })?.uid;
  const self = process.getuid?.();
  if (owner === undefined || self === undefined || owner === self) return;
  throw new HeedError(
    "io-failed",
    `${state} belongs to another user (uid ${owner}): heed ui serves your own memories alone. Run it as that user, without sudo.`,
    { operation: "serve", file: state },
  );
}
