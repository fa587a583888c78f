import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../store/temporary-store.ts";

/** An environment in which git knows a user and nothing of this machine. */
export function gitEnvironment(name = "Ada", email = "ada@example.org"): Record<string, string> {
  const home = temporaryFolder();
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, XDG_CONFIG_HOME: home };
  if (name !== "") {
    writeFileSync(join(home, ".gitconfig"), `[user]\n\tname = ${name}\n\temail = ${email}\n`);
  }
  return env;
}

/** Runs git as a person would, and gives what it printed. */
export function git(cwd: string, env: Record<string, string>, ...args: string[]): string {
  return execFileSync("git", args, {
    cwd,
    env: { ...env, GIT_CONFIG_NOSYSTEM: "1" },
    encoding: "utf8",
    stdio: "pipe",
  });
}
