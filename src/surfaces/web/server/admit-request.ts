import type { IncomingMessage } from "node:http";
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** What a request is turned away with. */
export interface TurnedAway {
  status: number;
  /** For the person who debugs it: the page itself never sends such a request. */
  why: string;
}

/** A request that may be routed. */
export interface Admitted {
  /** The path of the parsed address, without query. */
  path: string;
  /** `http://` and the host that the browser named: what `Origin` has to be. */
  origin: string;
}

/** Headers that a proxy adds: the page is for whoever sits at this machine, not behind one. */
const FORWARDED = [
  "forwarded",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
  "via",
];

/**
 * Whether a request comes from a browser on this machine that was sent to this address. Asked before anything is routed,
 * on every path: after DNS rebinding a foreign page is "same origin" to the browser, and `Host` alone gives it away.
 */
export function admitRequest(request: IncomingMessage, port: number): Admitted | TurnedAway {
  const { headers, rawHeaders, socket, url = "" } = request;
  if (!isLoopback(socket.remoteAddress)) return { status: 403, why: "heed ui answers this machine alone" };
  const hosts = rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === "host").length;
  const host = headers.host ?? "";
  if (hosts !== 1 || ![`127.0.0.1:${port}`, `localhost:${port}`].includes(host))
    return { status: 421, why: `Host has to be 127.0.0.1:${port}` };
  const proxy = FORWARDED.find((name) => headers[name] !== undefined);
  if (proxy !== undefined) return { status: 403, why: `heed ui does not answer through a proxy (${proxy})` };
  const origin = `http://${host}`;
  // One slash: `//evil/` and `http://evil/` name another host.
  const parsed = /^\/(?!\/)/.test(url) ? parse(url, origin) : undefined;
  if (!parsed || parsed.origin !== origin) return { status: 400, why: "the address cannot be read" };
  return { path: parsed.pathname, origin };
}

/** Whether a request to the interface is one of the page's own, beyond its address. */
export function admitCall(request: IncomingMessage, origin: string): TurnedAway | undefined {
  const { headers, method } = request;
  if (method !== "POST") return { status: 405, why: "POST" };
  if (headers.origin !== origin) return { status: 403, why: "Origin has to be the page's own" };
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin")
    return { status: 403, why: "the request comes from another site" };
  if (!/^application\/json(?:; ?charset=utf-8)?$/i.test(headers["content-type"] ?? ""))
    return { status: 415, why: "Content-Type has to be application/json" };
  return undefined;
}

function isLoopback(address: string | undefined): boolean {
  return address !== undefined && /^(?:::ffff:)?127\.|^::1$/.test(address);
}

function parse(url: string, origin: string): URL | undefined {
  try {
    return new URL(url, origin);
  } catch {
    return undefined;
  }
}

/** A browser that was opened enters at once; whoever copies an address to another takes longer. */
const TICKET_MS = 120_000;

/**
 * Who may speak to the server. An address carries a ticket, which is good for one entry; the page gives it for the key,
 * which it keeps to itself and sends with each request. Only the newest ticket is good, and none after an entry: what
 * stands in a browser's history, in a list of processes or in a terminal's scrollback opens nothing any more.
 */
export class Keys {
  readonly #key: string = newSecret();
  #ticket: { secret: string; endsMs: number } | undefined;

  /** A ticket for one entry within two minutes. The one before it is good no more. */
  newTicket(): string {
    this.#ticket = { secret: newSecret(), endsMs: performance.now() + TICKET_MS };
    return this.#ticket.secret;
  }

  /** The key, for the newest ticket, if nobody has used it yet. */
  redeem(ticket: string): string | undefined {
    const newest = this.#ticket;
    if (!newest || performance.now() > newest.endsMs || !isSame(newest.secret, ticket)) return undefined;
    this.#ticket = undefined;
    return this.#key;
  }

  isKey(given: string | undefined): boolean {
    return given !== undefined && isSame(this.#key, given);
  }
}

/** 256 bits, as a text for an address. */
function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Compares in a time that says nothing about where two texts differ. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
