import { createHash } from "node:crypto";
import type { GitAnswer, GitOptions } from "./run-git.ts";

/** Git's id of a text, to compare texts without reading them. */
export function blobIdOf(text: string): string {
  return objectIdOf("blob", Buffer.from(text, "utf8"), 40);
}

export function objectIdOf(type: "blob" | "commit", bytes: Buffer, digits: number): string {
  return createHash(digits === 64 ? "sha256" : "sha1")
    .update(`${type} ${bytes.length}\0`)
    .update(bytes)
    .digest("hex");
}

export type Git = (args: readonly string[], options?: Partial<GitOptions>) => Promise<GitAnswer>;

/** The id of the commit that a revision names; undefined where it names none. */
export async function commitOf(git: Git, revision: string): Promise<string | undefined> {
  const args = ["rev-parse", "--quiet", "--verify", "--end-of-options", `${revision}^{commit}`];
  // Of a range it is several lines.
  return /^\w+$/.exec((await git(args, { mayAnswerNo: true })).stdout.trim())?.[0];
}

export interface TreeEntry {
  file: string;
  blob: string;
  /** Git's mode: `100644` for a plain file; links (`120000`) and submodules have others. */
  mode: string;
}

/** Entries of `git ls-tree -z` by path. Texts are then asked for by id: a path may hold a line break. */
export async function filesOf(git: Git, args: readonly string[]): Promise<Map<string, TreeEntry>> {
  const { stdout } = await git(["ls-tree", "-z", ...args]);
  const entries = stdout.split("\0").flatMap((line): [string, TreeEntry][] => {
    const [, mode = "", blob = "", file] = /^(\d+) \w+ ([0-9a-f]+)\t([^]+)$/.exec(line) ?? [];
    return file === undefined ? [] : [[file, { file, blob, mode }]];
  });
  return new Map(entries);
}

/** The texts of git's blobs by id, in one process; ids of anything else are left out. */
export async function readBlobs(git: Git, blobs: readonly string[]): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  if (blobs.length === 0) return texts;
  const { bytes } = await git(["cat-file", "--batch"], { input: `${blobs.join("\n")}\n` });
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

export interface ImportedCommit {
  message: string;
  time: string;
  files: ReadonlyMap<string, string | null>;
  merges?: string | undefined;
}

/** Input that adds commits to a branch, index and work tree untouched. `parent` undefined: a new branch. */
export function fastImportStream(
  branch: string,
  parent: string | undefined,
  identity: { name: string; email: string },
  commits: readonly ImportedCommit[],
): Buffer {
  const parts: string[] = ["feature done\n"];
  for (const [position, commit] of commits.entries()) {
    // Git knows no time before 1970, as a clock that was never set tells it.
    const seconds = Math.max(0, Math.floor(Date.parse(commit.time) / 1000) || 0);
    parts.push(
      `commit ${branch}\ncommitter ${identity.name} <${identity.email}> ${seconds} +0000\n`,
      data(commit.message),
    );
    if (position === 0 && parent !== undefined) parts.push(`from ${parent}\n`);
    if (commit.merges !== undefined) parts.push(`merge ${commit.merges}\n`);
    for (const [file, text] of commit.files) {
      parts.push(text === null ? `D ${quote(file)}\n` : `M 100644 inline ${quote(file)}\n${data(text)}`);
    }
    parts.push("\n");
  }
  parts.push("done\n");
  return Buffer.from(parts.join(""));
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}

function quote(file: string): string {
  return `"${file.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
}

/** Who commits: as `gitConfiguration` with the user's own says, the repository's before the user's; else heed itself. */
export function identityOf(configuration: string): { name: string; email: string } {
  const read = (key: string): string => {
    const entry = configuration.split("\0").findLast((each) => each.startsWith(`${key}\n`));
    const [first = ""] = (entry?.slice(key.length + 1) ?? "").split("\n");
    return first.replace(/[<>\p{Cc}]/gu, "").trim();
  };
  return { name: read("user.name") || "heed", email: read("user.email") || "heed@localhost" };
}
