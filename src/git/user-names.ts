import { join } from "node:path";
import type { Environment } from "../platform/places.ts";
import { homeOf } from "../platform/places.ts";
import { readRegularFile } from "../platform/regular-file.ts";

const MAX_BYTES = 1024 * 1024;

/**
 * What git's configuration calls the user: whole names as they stand there, the user's own and the repository's.
 * Includes are not followed, and no process is started. Empty where nothing is set.
 */
export function gitUserNames(env: Environment, gitDir: string | undefined): string[] {
  const home = homeOf(env);
  const config = env["XDG_CONFIG_HOME"] || join(home, ".config");
  const files = [
    env["GIT_CONFIG_GLOBAL"],
    join(home, ".gitconfig"),
    join(config, "git", "config"),
    gitDir && join(gitDir, "config"),
  ];
  const names = [env["GIT_AUTHOR_NAME"], ...files.map((file) => (file ? nameIn(file) : undefined))];
  return [...new Set(names.filter((name) => name !== undefined && name !== ""))] as string[];
}

function nameIn(file: string): string | undefined {
  try {
    const text = readRegularFile(file, { maxBytes: MAX_BYTES });
    const section = /^[ \t]*\[user\][^\S\n]*\n((?:[^\n[][^\n]*\n|\n)*)/im.exec(`${text}\n`)?.[1] ?? "";
    return /^[ \t]*name[ \t]*=[ \t]*"?([^"\n#;]{1,100}?)"?[ \t]*(?:[#;].*)?$/im.exec(section)?.[1]?.trim();
  } catch {
    return undefined;
  }
}
