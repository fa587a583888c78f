import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** The client that the scenarios run; pinned, as an unpinned install on Node 20 silently picks another version. */
export const CLIENT_VERSION = "2.1.330";
/** The client is a binary of some 360 MB. */
const INSTALL_TIMEOUT_MS = 10 * 60_000;

/**
 * Path of the client's executable (`HEED_E2E_CLIENT` names one that is there), installed on first use into the user's cache
 * directory: it is under a licence of its own. Throws with npm's words when it cannot be installed.
 */
export async function installClient(): Promise<string> {
  const given = process.env["HEED_E2E_CLIENT"];
  if (given) return given;
  const packages = [`@anthropic-ai/claude-code@${CLIENT_VERSION}`];
  const modules = await installPackages(CLIENT_VERSION, packages, [".bin", "claude"]);
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
