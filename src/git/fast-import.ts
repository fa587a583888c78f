import type { GitAnswer, GitOptions } from "./run-git.ts";

/** One commit for `git fast-import`. */
export interface ImportedCommit {
  message: string;
  /** ISO time. */
  time: string;
  /** Whole texts by path; null removes the path. */
  files: ReadonlyMap<string, string | null>;
  /** A second parent. */
  merges?: string;
}

/**
 * The stream (git-fast-import(1)) that adds commits to a branch. Many commits cost one process then, and neither index
 * nor working tree are touched, so that nothing of the user's is swept in.
 *
 * @param parent the commit that the branch is at; undefined for a branch without any.
 */
export function fastImportStream(
  branch: string,
  parent: string | undefined,
  identity: { name: string; email: string },
  commits: readonly ImportedCommit[],
): Buffer {
  const parts: string[] = ["feature done\n"];
  for (const [position, commit] of commits.entries()) {
    const seconds = Math.floor(new Date(commit.time).getTime() / 1000);
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

/** Who commits: as git's configuration says, the repository's own before the user's; else heed itself. */
export async function gitIdentity(
  git: (args: readonly string[], options: Partial<GitOptions>) => Promise<GitAnswer>,
): Promise<{ name: string; email: string }> {
  const { stdout } = await git(["config", "--get-regexp", "^user\\.(name|email)$"], {
    okCodes: [0, 1],
    withUserConfig: true,
  });
  const read = (key: string): string => {
    const line = stdout.split("\n").findLast((each) => each.startsWith(`user.${key} `)) ?? "";
    return line
      .slice(`user.${key} `.length)
      .replace(/[<>\p{Cc}]/gu, "")
      .trim();
  };
  return { name: read("name") || "heed", email: read("email") || "heed@localhost" };
}
