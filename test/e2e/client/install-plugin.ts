import { existsSync } from "node:fs";
import { join } from "node:path";
import { makeGitAddress } from "../../surfaces/plugin/git-address.ts";
import { runClientCommand } from "./run-command.ts";
import type { Sandbox } from "./sandbox.ts";

/** The address that the marketplace on main names, and one of a copy. */
const ADDRESSES = ["https://github.com/heed-memory/heed.git", "https://git.example.com/heed.git"] as const;

/** Lets git find the repository's addresses on this machine, with what a release puts there. Gives the repository. */
export function serveAddresses(sandbox: Sandbox): string {
  const copy = join(sandbox.root, "heed.git");
  if (!existsSync(copy)) makeGitAddress(copy);
  for (const address of ADDRESSES) {
    sandbox.git("config", "--global", "--add", `url.file://${copy}.insteadOf`, address);
  }
  return copy;
}

/** Installs the plugin as people do, from the repository's address. */
export async function installPlugin(
  sandbox: Sandbox,
  client: string,
  from: string = ADDRESSES[0],
): Promise<void> {
  serveAddresses(sandbox);
  for (const words of [
    ["marketplace", "add", from],
    ["install", "heed@heed"],
  ]) {
    const { exitCode, stdout, stderr } = await runClientCommand(sandbox, client, ["plugin", ...words]);
    if (exitCode !== 0) throw new Error(`plugin ${words.join(" ")}: ${stdout}${stderr}`);
  }
}
