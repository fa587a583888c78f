import type { GitAnswer, GitOptions } from "./run-git.ts";

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
