import { existsSync } from "node:fs";
import { type PlatformPath, posix, win32 } from "node:path";

type Environment = Readonly<Record<string, string>>;

/**
 * The search path without its relative and empty entries: git runs in the directories of others, where `.` would find
 * their programs. Empty when the environment has no search path.
 */
export function absolutePathOf(
  env: Environment,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const rules = platform === "win32" ? win32 : posix;
  return Object.fromEntries(
    Object.entries(env)
      .filter(([name]) => isSearchPath(name, platform))
      .map(([name, value]) => [name, absoluteOf(value, rules)]),
  );
}

/**
 * The program to start as git. On Windows a bare name would be looked for in the working directory first, which may be
 * a clone that brings a `git.exe` along: there it is looked for here.
 */
export function findGit(
  env: Environment,
  platform: NodeJS.Platform = process.platform,
  isThere: (path: string) => boolean = existsSync,
): string {
  if (platform !== "win32") return "git";
  const path = Object.entries(env).find(([name]) => isSearchPath(name, platform))?.[1] ?? "";
  const folder = path
    .split(win32.delimiter)
    .find((entry) => win32.isAbsolute(entry) && isThere(win32.join(entry, "git.exe")));
  return folder === undefined
    ? win32.join("C:\\", "no-git-on-the-path", "git.exe")
    : win32.join(folder, "git.exe");
}

function absoluteOf(path: string, rules: PlatformPath): string {
  const entries = path.split(rules.delimiter).filter((entry) => rules.isAbsolute(entry));
  return entries.join(rules.delimiter);
}

function isSearchPath(name: string, platform: NodeJS.Platform): boolean {
  return platform === "win32" ? name.toLowerCase() === "path" : name === "PATH";
}
