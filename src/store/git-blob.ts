import { createHash } from "node:crypto";

/** The id that git gives a text (SHA-1 of `blob <bytes>\0<text>`), so that texts can be compared without reading them. */
export function blobIdOf(text: string): string {
  const bytes = Buffer.from(text);
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}
