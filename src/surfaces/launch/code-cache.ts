import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Script } from "node:vm";

/**
 * Runs a CommonJS bundle with V8's compiled code kept from the run before. Compiling takes a fresh process longer than
 * a whole search. Node can do this itself from 22.1 on (`module.enableCompileCache`), Node 20 cannot.
 *
 * `host` is the module that asks, from the folder of the bundle: it resolves what the bundle requires.
 *
 * The kept code is executed, so it is taken only from a file that this user owns and nobody else may write. V8 refuses
 * what another version or another source compiled; then, and when nothing can be kept, the bundle is compiled as usual.
 */
export function runWithCodeCache(file: string, cacheFolder: string, host: NodeJS.Module): void {
  // Bundles are plain ASCII (esbuild escapes the rest), which is read and compiled faster as such.
  const source = readFileSync(file, "latin1");
  const { mtimeMs, size } = statSync(file);
  const kept = join(
    cacheFolder,
    `${[process.version, process.arch, size, mtimeMs].join("-")}-${nameOf(file)}.code`,
  );
  const cachedData = readOwn(kept);
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${source}\n})`, {
    filename: file,
    ...(cachedData && { cachedData }),
  });
  const run = script.runInThisContext() as (...args: unknown[]) => void;
  const module = { exports: {} };
  if (cachedData === undefined || script.cachedDataRejected === true) {
    // At the end, so that the functions which this run compiled are kept too.
    process.once("exit", () => keep(kept, nameOf(file), script.createCachedData()));
  }
  run.call(module.exports, module.exports, host.require.bind(host), module, file, dirname(file));
}

function nameOf(file: string): string {
  return file.replace(/^.*[/\\]/, "");
}

function readOwn(file: string): Buffer | undefined {
  try {
    const { uid, mode } = statSync(file);
    const isOwn = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
    return isOwn ? readFileSync(file) : undefined;
  } catch {
    return undefined;
  }
}

/** Puts the code in its place, and removes what other versions of the bundle or of Node left there. */
function keep(file: string, bundle: string, code: Buffer): void {
  try {
    const folder = dirname(file);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const draft = `${file}.${process.pid}.tmp`;
    writeFileSync(draft, code, { mode: 0o600 });
    renameSync(draft, file);
    for (const name of readdirSync(folder)) {
      if (name.endsWith(`-${bundle}.code`) && join(folder, name) !== file) rmSync(join(folder, name));
    }
  } catch {
    // Nothing can be kept here: the next run compiles again.
  }
}
