import { sha256Hex } from "../platform/sha256.ts";

/** Letters and digits that nobody takes for each other. */
const SIGNS = "abcdefghjkmnpqrstuvwxyz23456789";
const CODE_CHARS = 5;

/**
 * A short code for exactly what a person was shown: another text, target or session has another code, so that an answer
 * typed to one question never counts for the next. The person types it; it is no secret.
 */
export function codeOf(...shown: readonly string[]): string {
  const hash = sha256Hex(JSON.stringify(shown));
  return Array.from(
    { length: CODE_CHARS },
    (_, i) => SIGNS[parseInt(hash.slice(i * 2, i * 2 + 2), 16) % SIGNS.length],
  ).join("");
}
