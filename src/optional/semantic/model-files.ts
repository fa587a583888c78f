import { existsSync } from "node:fs";
import { join } from "node:path";
import { MAX_OWN_FILE_BYTES, readRegularFile } from "../../platform/regular-file.ts";
import { readUserConfig } from "../../app/place/user-config.ts";
import { asRecord, FieldReader } from "../../memory/codec/read-fields.ts";
import type { Places } from "../../platform/places.ts";

/** Where an embedding model and the engine that computes it lie. */
export interface ModelFiles {
  /** The ONNX file. */
  model: string;
  tokenizer: string;
  /** Beside the tokenizer; optional. */
  tokenizerConfig: string | undefined;
  runtime: RuntimeFiles;
}

/** An engine: Microsoft's for Node (native), or its WebAssembly build. */
export interface RuntimeFiles {
  kind: "native" | "wasm";
  /** `native`: the package's directory. `wasm`: the module file, its `.wasm` beside it. */
  path: string;
  version: string | undefined;
}

const MODELS = [
  "model.onnx",
  "model_quantized.onnx",
  "onnx/model_quantized.onnx",
  "onnx/model.onnx",
  "model/onnx/model_quantized.onnx",
];
const TOKENIZERS = ["tokenizer.json", "model/tokenizer.json"];
const NATIVE = ["node_modules/onnxruntime-node", "onnxruntime-node"];
const WASM = [
  "ort.wasm.min.mjs",
  "vendor/onnxruntime-web/ort.wasm.min.mjs",
  "node_modules/onnxruntime-web/dist/ort.wasm.min.mjs",
];

/**
 * Looks for a model in a directory, and for an engine there and in further ones, native first. Says what is
 * missing.
 */
export function findModelFiles(
  directory: string,
  runtimeDirectories: readonly string[] = [],
): ModelFiles | { missing: string } {
  const first = (base: string, names: readonly string[]): string | undefined =>
    names.map((name) => join(base, name)).find((file) => existsSync(file));
  const model = first(directory, MODELS);
  if (model === undefined) return { missing: `no model.onnx in ${directory}` };
  const tokenizer = first(directory, TOKENIZERS);
  if (tokenizer === undefined) return { missing: `no tokenizer.json in ${directory}` };
  const config = join(tokenizer, "..", "tokenizer_config.json");
  const places = [directory, ...runtimeDirectories];
  const native = places.flatMap((place) => nativeRuntime(first(place, NATIVE)) ?? [])[0];
  const wasm = places.flatMap((place) => first(place, WASM) ?? [])[0];
  const runtime: RuntimeFiles | undefined =
    native ?? (wasm === undefined ? undefined : { kind: "wasm", path: wasm, version: undefined });
  if (runtime === undefined)
    return { missing: `no engine (onnxruntime-node or onnxruntime-web) for ${model}` };
  return { model, tokenizer, tokenizerConfig: existsSync(config) ? config : undefined, runtime };
}

/** The native engine of a package directory, when it holds the binary of this machine. */
function nativeRuntime(directory: string | undefined): RuntimeFiles | undefined {
  if (directory === undefined) return undefined;
  const binary = join(directory, "bin/napi-v6", process.platform, process.arch, "onnxruntime_binding.node");
  if (!existsSync(binary)) return undefined;
  try {
    const { version } = JSON.parse(
      readRegularFile(join(directory, "package.json"), { maxBytes: MAX_OWN_FILE_BYTES }),
    ) as {
      version?: unknown;
    };
    return { kind: "native", path: directory, version: typeof version === "string" ? version : undefined };
  } catch {
    return undefined;
  }
}

/** Where an embedding model comes from, or why there is none. */
type FoundModel =
  | { state: "found"; origin: "directory" | "installed"; files: ModelFiles }
  | { state: "none" | "off"; reason: string };

/** Where an engine lies that `heed semantic install` fetched. */
export function engineDirectory(places: Places): string {
  return join(places.models, "engine");
}

/**
 * Finds the embedding model: in `HEED_SEMANTIC_DIR`, else `semantic.directory` of the configuration (`off`:
 * none), else as `heed semantic install` fetched it. Loads nothing.
 */
export function findModel(env: Readonly<Record<string, string | undefined>>, places: Places): FoundModel {
  const settings = asRecord(readUserConfig(places).values["semantic"]);
  const named = env["HEED_SEMANTIC_DIR"] || (settings && new FieldReader(settings).text("directory"));
  if (named === "off") return { state: "off", reason: "turned off by you" };
  const directory = named ?? join(places.models, "model");
  if (named === undefined && !existsSync(directory))
    return { state: "none", reason: "not installed (heed semantic install)" };
  const found = findModelFiles(directory, [engineDirectory(places)]);
  return "missing" in found
    ? { state: "none", reason: found.missing }
    : { state: "found", origin: named === undefined ? "installed" : "directory", files: found };
}
