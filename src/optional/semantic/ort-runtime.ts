import { createRequire } from "node:module";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import type { RuntimeFiles } from "./model-files.ts";

/** A tensor as ONNX Runtime takes and gives it. */
export interface OrtTensor {
  readonly data: ArrayLike<number> | ArrayLike<bigint>;
  readonly dims: readonly number[];
}

export interface OrtSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(feeds: Readonly<Record<string, OrtTensor>>): Promise<Readonly<Record<string, OrtTensor>>>;
}

/** What heed uses of ONNX Runtime; the native and the WebAssembly build have the same shape. */
export interface OrtRuntime {
  readonly Tensor: new (type: "int64", data: BigInt64Array, dims: readonly number[]) => OrtTensor;
  readonly InferenceSession: {
    create(model: Uint8Array, options: Readonly<Record<string, unknown>>): Promise<OrtSession>;
  };
  readonly env?: { wasm?: { numThreads?: number; wasmPaths?: string; proxy?: boolean } };
}

/** Loads the engine from where it lies: it is no dependency of heed. Rejects with what the loader says. */
export async function loadRuntime({ kind, path }: RuntimeFiles): Promise<OrtRuntime> {
  if (kind === "native") return createRequire(`${path}/`)(path) as OrtRuntime;
  const runtime = (await import(pathToFileURL(path).href)) as OrtRuntime;
  const wasm = runtime.env?.wasm;
  if (wasm) {
    // More threads would hold more workers of a process that should use little.
    wasm.numThreads = 1;
    wasm.proxy = false;
    // The engine's own default is a server on the network.
    wasm.wasmPaths = `${pathToFileURL(dirname(path)).href}/`;
  }
  return runtime;
}
