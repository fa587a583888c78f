import { createHash } from "node:crypto";
import type { GitAnswer, GitOptions } from "./run-git.ts";

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

/** The texts of git's blobs by id, in one process; ids of anything else are left out. */
export async function readBlobs(
  git: (args: readonly string[], options: Partial<GitOptions>) => Promise<GitAnswer>,
  blobs: readonly string[],
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  if (blobs.length === 0) return texts;
  const { bytes } = await git(["cat-file", "--batch"], {
    input: `${blobs.join("\n")}\n`,
    okCodes: [0, 128],
  });
  let at = 0;
  for (const blob of blobs) {
    const lineEnd = bytes.indexOf(10, at);
    if (lineEnd < 0) break;
    const [, type, size] = bytes.subarray(at, lineEnd).toString("latin1").split(" ");
    at = lineEnd + 1;
    if (size === undefined) continue;
    if (type === "blob") texts.set(blob, bytes.subarray(at, at + Number(size)).toString("utf8"));
    at += Number(size) + 1;
  }
  return texts;
}
