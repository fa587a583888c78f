import { randomBytes } from "node:crypto";

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/**
 * A ULID (github.com/ulid/spec): 48 bits of milliseconds, then 80 random bits, in Crockford's base 32, 26 characters,
 * sorting by time. Not monotonic within one millisecond: the
 * change journal, which orders by id, gives each change a later time than the one before.
 *
 * @param now the clock; default: the system's.
 * @param random ten random bytes; default: the system's source.
 */
export function newId(now: Date = new Date(), random: Uint8Array = randomBytes(10)): string {
  let bits = BigInt(Math.max(0, now.getTime()));
  for (const byte of random.subarray(0, 10)) bits = (bits << 8n) | BigInt(byte);
  let id = "";
  for (let i = 0; i < 26; i++) {
    id = (ALPHABET[Number(bits & 31n)] ?? "") + id;
    bits >>= 5n;
  }
  return id;
}

/** The time of an id in milliseconds since 1970; undefined for what is no ULID. */
export function timeOfId(id: string): number | undefined {
  if (!/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(id)) return undefined;
  return Array.from(id.slice(0, 10)).reduce((ms, digit) => ms * 32 + ALPHABET.indexOf(digit), 0);
}
