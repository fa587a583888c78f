import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import type * as V8 from "node:v8";
import { Script } from "node:vm";

declare const __HEED_VERSION__: string | undefined;
export const VERSION: string = typeof __HEED_VERSION__ === "string" ? __HEED_VERSION__ : "";

/** So many runs of a bundle add the functions that they compiled: one at a session's start has others than one at a prompt. */
const ADDING_RUNS = 4;
/** So many are kept of each bundle: two installs of heed under two Nodes. The least recently used one goes. */
const MAX_KEPT = 4;
/** A use is noted so often at most. */
const NOTED_MS = 3_600_000;

interface Compiled {
  script: Script;
  bundle: string;
  file: string;
  /** How many runs added theirs, this one included: the last byte of the file. */
  runs: number;
}

/**
 * Runs a CommonJS bundle, and the files beside it, with V8's compiled code of the run before: compiling takes longer than a
 * search, and Node 20 keeps nothing itself. Kept code is executed, so nobody else may be able to write it.
 *
 * @param host - Resolves what else the bundle requires.
 * @param ownFlags - The flags of V8 that it set.
 */
export function runWithCodeCache(
  entry: string,
  cacheFolder: string,
  host: NodeJS.Module,
  ownFlags = "",
): void {
  const folder = dirname(entry);
  const modules = new Map<string, { exports: unknown }>();
  const compiled: Compiled[] = [];
  const load = (file: string): unknown => {
    const known = modules.get(file);
    if (known) return known.exports;
    const module = { exports: {} };
    modules.set(file, module);
    const script = compile(file, cacheFolder, compiled, ownFlags);
    const run = script.runInThisContext() as (...args: unknown[]) => void;
    run.call(module.exports, module.exports, require, module, file, folder);
    return module.exports;
  };
  const require = (name: string): unknown =>
    name.startsWith("./") ? load(join(folder, name)) : (host.require(name) as unknown);
  // At the end, so that the functions which this run compiled are kept too.
  process.once("exit", () => {
    // What is kept names the flags of now; a run that lasted has others.
    if (ownFlags !== "") (host.require("v8") as typeof V8).setFlagsFromString(ownFlags);
    for (const { file, bundle, script, runs } of compiled)
      keep(file, bundle, Buffer.concat([script.createCachedData(), Buffer.of(runs)]));
  });
  load(entry);
}

export function hashOf(text: string): string {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) >>> 0;
  return hash.toString(36);
}

/** A bundle as a script, from its kept code where there is one that V8 takes; what had to be compiled is added. */
function compile(bundle: string, cacheFolder: string, compiled: Compiled[], ownFlags: string): Script {
  // Bundles are plain ASCII (the build escapes the rest), which is read and compiled faster as such.
  const source = readFileSync(bundle, "latin1");
  const { mtimeMs, size } = statSync(bundle);
  const name = basename(bundle);
  // V8 takes nothing that was compiled under other flags.
  const flags = hashOf([ownFlags, ...process.execArgv, process.env["NODE_OPTIONS"] ?? ""].join(" "));
  const made = [VERSION, process.version, process.arch, flags, size, mtimeMs].join("-");
  const file = join(cacheFolder, `${made}-${name}.code`);
  const kept = readOwn(file);
  const script = new Script(source, { filename: bundle, ...(kept && { cachedData: kept.subarray(0, -1) }) });
  const runs = script.cachedDataRejected === false ? (kept?.at(-1) ?? 0) : 0;
  if (runs < ADDING_RUNS) compiled.push({ script, bundle: name, file, runs: runs + 1 });
  return script;
}

function readOwn(file: string): Buffer | undefined {
  try {
    const { uid, mode, mtimeMs } = statSync(file);
    const isOwn = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
    if (!isOwn) return undefined;
    const now = Date.now();
    if (now - mtimeMs > NOTED_MS) utimesSync(file, now / 1000, now / 1000);
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** Puts the code in its place, and removes what was not used for longest. */
function keep(file: string, bundle: string, code: Buffer): void {
  try {
    const folder = dirname(file);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const draft = `${file}.${process.pid}.tmp`;
    writeFileSync(draft, code, { mode: 0o600 });
    renameSync(draft, file);
    const used = readdirSync(folder)
      .filter((name) => name.endsWith(`-${bundle}.code`))
      .map((name) => ({ path: join(folder, name), mtimeMs: statSync(join(folder, name)).mtimeMs }));
    used.sort((a, b) => b.mtimeMs - a.mtimeMs);
    for (const { path } of used.slice(MAX_KEPT)) rmSync(path);
  } catch {
    // Nothing can be kept here: the next run compiles again.
  }
}
