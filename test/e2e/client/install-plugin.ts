import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { makeGitAddress } from "../../surfaces/plugin/git-address.ts";
import { runClientCommand } from "./run-command.ts";
import type { Sandbox } from "./sandbox.ts";

/** The address that the marketplace on main names. */
const ADDRESS = "https://github.com/heed-memory/heed.git";

/** Installs the plugin as people do, from the repository's address, which git finds on this machine. */
export async function installPlugin(sandbox: Sandbox, client: string, from: string = ADDRESS): Promise<void> {
  const copy = join(sandbox.root, "heed.git");
  if (!existsSync(copy)) makeGitAddress(copy);
  sandbox.git("config", "--global", `url.file://${copy}.insteadOf`, ADDRESS);
  for (const words of [
    ["marketplace", "add", from.replace("COPY", copy)],
    ["install", "heed@heed"],
  ]) {
    const { exitCode, stdout, stderr } = await runClientCommand(sandbox, client, ["plugin", ...words]);
    expect(exitCode, stdout + stderr).toBe(0);
  }
}
