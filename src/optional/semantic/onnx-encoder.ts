import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { Tokenizer } from "@huggingface/tokenizers";
import type { Encoder } from "./worker-encoder.ts";
import { RECIPE } from "./memory-text.ts";
import type { ModelFiles, RuntimeFiles } from "./model-files.ts";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";

/** No word piece of a model that is used here is longer, so that no more characters need to be looked at. */
const MAX_CHARS_A_TOKEN = 12;

/**
 * Loads an embedding model into this thread, which it blocks: run it in a worker. Rejects for a damaged file or
 * engine.
 */
export async function loadOnnxEncoder(files: ModelFiles): Promise<Encoder> {
  const [weights, tokenizerText, configText] = await Promise.all([
    readFile(files.model),
    readFile(files.tokenizer, "utf8"),
    files.tokenizerConfig === undefined ? "{}" : readFile(files.tokenizerConfig, "utf8"),
  ]);
  const tokenizer = new Tokenizer(JSON.parse(tokenizerText) as object, JSON.parse(configText) as object);
  const runtime = await loadRuntime(files.runtime);
  // One thread: the agent's own work has the other cores.
  const session = await runtime.InferenceSession.create(new Uint8Array(weights), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
  });
  const model = createHash("sha256").update(weights).update(tokenizerText).update(RECIPE).digest("hex");
  const encode = async (text: string, maxTokens: number): Promise<Int8Array> =>
    quantizeVector(await sentenceVector(runtime, session, tokenIds(tokenizer, text, maxTokens)));
  const { length } = await encode("dimensions", 8);
  return {
    model: model.slice(0, 16),
    dimensions: length,
    runtime:
      files.runtime.kind === "native"
        ? `onnxruntime-node ${files.runtime.version ?? ""}`.trim()
        : "onnxruntime-web (WASM)",
    encode,
    close: () => Promise.resolve(),
  };
}

/** Token ids, the closing mark kept when the text is cut. */
function tokenIds(tokenizer: Tokenizer, text: string, maxTokens: number): number[] {
  const { ids } = tokenizer.encode(text.slice(0, maxTokens * MAX_CHARS_A_TOKEN));
  const closing = ids.at(-1);
  if (ids.length <= maxTokens || closing === undefined) return ids;
  return [...ids.slice(0, maxTokens - 1), closing];
}

/** Runs the model over one text and takes the mean over its tokens, as sentence-transformers' MiniLM models do. */
async function sentenceVector(
  { Tensor }: OrtRuntime,
  session: OrtSession,
  ids: readonly number[],
): Promise<Float32Array> {
  const tensor = (value: (id: number) => number): OrtTensor =>
    new Tensor(
      "int64",
      BigInt64Array.from(ids, (id) => BigInt(value(id))),
      [1, ids.length],
    );
  const inputs: Record<string, OrtTensor> = {
    input_ids: tensor((id) => id),
    attention_mask: tensor(() => 1),
    token_type_ids: tensor(() => 0),
  };
  const feeds = Object.fromEntries(
    session.inputNames.flatMap((name) => (inputs[name] ? [[name, inputs[name]]] : [])),
  );
  const outputs = await session.run(feeds);
  const output = outputs["last_hidden_state"] ?? outputs[session.outputNames[0] ?? ""];
  const [batch, tokens, width] = output?.dims ?? [];
  if (output === undefined || batch !== 1 || tokens !== ids.length || width === undefined)
    throw new Error(
      `the model answers with ${output?.dims.join(" x ")} numbers, not with one vector a token`,
    );
  const mean = new Float32Array(width);
  for (let token = 0; token < tokens; token++) {
    for (let i = 0; i < width; i++)
      mean[i] = (mean[i] as number) + Number(output.data[token * width + i]) / tokens;
  }
  return mean;
}

/** A vector of bytes, the longest component 127. Cosines differ by less than 0.01 from those of floats. */
export function quantizeVector(values: ArrayLike<number>): Int8Array {
  let longest = 0;
  for (let i = 0; i < values.length; i++) longest = Math.max(longest, Math.abs(values[i] as number));
  const scale = longest === 0 ? 0 : 127 / longest;
  return Int8Array.from(values, (value) => Math.round(value * scale));
}

/** A tensor as ONNX Runtime takes and gives it. */
interface OrtTensor {
  readonly data: ArrayLike<number> | ArrayLike<bigint>;
  readonly dims: readonly number[];
}

interface OrtSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(feeds: Readonly<Record<string, OrtTensor>>): Promise<Readonly<Record<string, OrtTensor>>>;
}

/** What heed uses of ONNX Runtime; the native and the WebAssembly build have the same shape. */
interface OrtRuntime {
  readonly Tensor: new (type: "int64", data: BigInt64Array, dims: readonly number[]) => OrtTensor;
  readonly InferenceSession: {
    create(model: Uint8Array, options: Readonly<Record<string, unknown>>): Promise<OrtSession>;
  };
  readonly env?: { wasm?: { numThreads?: number; wasmPaths?: string; proxy?: boolean } };
}

/** Loads the engine from where it lies: it is no dependency of heed. Rejects with what the loader says. */
async function loadRuntime({ kind, path }: RuntimeFiles): Promise<OrtRuntime> {
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
