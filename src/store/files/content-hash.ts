import { createHash } from "node:crypto";

/** First 16 hex digits of the SHA-256 of a file's text: tells whether it changed since it was read. */
export function contentHashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
