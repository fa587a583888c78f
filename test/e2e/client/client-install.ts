import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/**
 * The clients that the scenarios run.
 *
 * `current` has `mcp_tool` hooks; `older` is the last build in plain JavaScript, which does not know them. Pinned, as
 * an unpinned install on Node 20 silently picks another version.
 */
export const CLIENT_VERSIONS = { current: "2.1.330", older: "2.1.112" } as const;
export type ClientName = keyof typeof CLIENT_VERSIONS;

/** Names an installed client to use instead, for those who have one already. */
const OVERRIDES: Record<ClientName, string> = { current: "HEED_E2E_CLIENT", older: "HEED_E2E_OLDER_CLIENT" };

const PACKAGE = "@anthropic-ai/claude-code";
/** The current client is a binary of some 360 MB. */
const INSTALL_TIMEOUT_MS = 10 * 60_000;

/**
 * Path of the client's executable, installed on first use into the user's cache directory: it is under a licence of
 * its own and never becomes a part of this repository. Throws with npm's words when it cannot be installed.
 */
export async function installClient(name: ClientName): Promise<string> {
  const given = process.env[OVERRIDES[name]];
  if (given !== undefined && given !== "") {
    if (!existsSync(given)) throw new Error(`${OVERRIDES[name]}=${given}: there is no such file`);
    return given;
  }
  const version = CLIENT_VERSIONS[name];
  const modules = await installPackages(version, [`${PACKAGE}@${version}`], [".bin", "claude"]);
  return join(modules, ".bin", "claude");
}

/**
 * The `node_modules` of npm's packages, installed on first use into a folder of the user's cache; `program`, a path
 * below, tells that they are there. Throws with npm's words.
 */
export async function installPackages(
  folder: string,
  packages: readonly string[],
  program: readonly string[],
  options: readonly string[] = [],
): Promise<string> {
  const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "heed-e2e");
  const target = join(cache, folder);
  const modules = join(target, "node_modules");
  if (existsSync(join(modules, ...program))) return modules;
  await mkdir(cache, { recursive: true });
  // Installed aside and renamed, so that neither an interrupted nor a concurrent run leaves half a client.
  const aside = await mkdtemp(join(cache, `${folder}-`));
  try {
    await writeFile(join(aside, "package.json"), '{ "private": true }\n');
    const args = ["install", "--no-audit", "--no-fund", "--loglevel=error", ...options, ...packages];
    await promisify(execFile)("npm", args, { cwd: aside, timeout: INSTALL_TIMEOUT_MS });
    await rename(aside, target).catch((error: unknown) => {
      if (!existsSync(join(modules, ...program))) throw error;
    });
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
  return modules;
}
