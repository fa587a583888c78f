import { sha256Hex } from "../platform/sha256.ts";
import type { Memory } from "../memory/memory.ts";

/** Letters and digits that nobody takes for each other. */
const SIGNS = "abcdefghjkmnpqrstuvwxyz23456789";
const CODE_CHARS = 5;

/** A short code for exactly what a person was shown; any other text has another code. It is not a secret. */
export function codeOf(...shown: readonly string[]): string {
  const hash = sha256Hex(JSON.stringify(shown));
  return Array.from(
    { length: CODE_CHARS },
    (_, i) => SIGNS[parseInt(hash.slice(i * 2, i * 2 + 2), 16) % SIGNS.length],
  ).join("");
}

/** What waits in the inbox, as far as its code needs it. */
interface Proposed {
  memory: Memory;
  proposal: {
    store: string;
    target?: { id: string; hash: string } | undefined;
    flags: readonly string[];
    salt?: string | undefined;
  };
}

/** The code of an inbox item, over all that a yes would put into force, and its random salt. */
export function codeOfItem({ memory, proposal }: Proposed): string {
  const { name, type, description, body, scope, expires = "", status, guard = null } = memory;
  const { store, target, flags, salt = "" } = proposal;
  const where = [salt, store, target?.id ?? "", target?.hash ?? ""];
  const { tags, aliases, trigger, links, claims, confidence, source, salience } = memory;
  const found = [tags, aliases, trigger, links, claims, confidence, source, salience];
  const bounds = JSON.stringify([scope, guard, ...found]);
  return codeOf(name, type, description, body.trim(), status, expires, bounds, ...where, ...flags);
}
