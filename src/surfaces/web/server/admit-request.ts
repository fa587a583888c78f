import type { IncomingMessage } from "node:http";
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

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

export function admitCall({ headers, method }: IncomingMessage, origin: string): void {
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
