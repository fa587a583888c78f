import { createHash } from "node:crypto";

/**
 * The id that git gives a text (hash of `blob <bytes>\0<text>`), so that texts can be compared without reading them.
 *
 * @param digits 64 in a repository of SHA-256; default: 40, SHA-1.
 */
export function blobIdOf(text: string, digits = 40): string {
  const bytes = Buffer.from(text, "utf8");
  return createHash(digits === 64 ? "sha256" : "sha1")
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest("hex");
}
