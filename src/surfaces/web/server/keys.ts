import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** More tickets than a person opens windows: the oldest is forgotten. */
const MAX_TICKETS = 20;

/**
 * Who may speak to the server. An address carries a ticket, which is good for one entry; the page gives it for the key,
 * which it keeps to itself and sends with each request. So what stands in a browser's history, in a list of processes or
 * in a terminal's scrollback opens nothing any more.
 */
export class Keys {
  readonly #key: string = newSecret();
  readonly #tickets = new Set<string>();

  /** A ticket for one entry, good until it is used or the server ends. */
  newTicket(): string {
    const ticket = newSecret();
    this.#tickets.add(ticket);
    for (const oldest of this.#tickets) {
      if (this.#tickets.size <= MAX_TICKETS) break;
      this.#tickets.delete(oldest);
    }
    return ticket;
  }

  /** The key, for a ticket that nobody has used yet. */
  redeem(ticket: string): string | undefined {
    const found = [...this.#tickets].find((issued) => isSame(issued, ticket));
    if (found === undefined) return undefined;
    this.#tickets.delete(found);
    return this.#key;
  }

  isKey(given: string | undefined): boolean {
    return given !== undefined && isSame(this.#key, given);
  }
}

/** 256 bits, as a text that can stand in an address. */
function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Compares in a time that says nothing about where two texts differ. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
