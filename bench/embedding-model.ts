import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Encoder } from "../src/optional/semantic/worker-encoder.ts";
import { findModelFiles } from "../src/optional/semantic/model-files.ts";
import { loadOnnxEncoder } from "../src/optional/semantic/onnx-encoder.ts";

/** Vectors of a data set are made once: half an hour of computing stays in bench/out. */
const CACHE = "bench/out";

/** An embedding model for benches, in this thread, with what it computed before. */
export class EmbeddingModel {
  readonly encoder: Encoder;
  /** By so much the process grew when the model was loaded. */
  readonly grownBytes: number;
  readonly #file: string;
  readonly #known: Record<string, string>;
  #isDirty = false;

  private constructor(encoder: Encoder, grownBytes: number) {
    this.encoder = encoder;
    this.grownBytes = grownBytes;
    this.#file = join(CACHE, `vectors-${encoder.model}.json`);
    this.#known = existsSync(this.#file)
      ? (JSON.parse(readFileSync(this.#file, "utf8")) as Record<string, string>)
      : {};
  }

  /** Opens the model in a directory, or of a further directory for its engine; throws with what is missing. */
  static async open(directory: string, engine?: string): Promise<EmbeddingModel> {
    const files = findModelFiles(directory, engine === undefined ? [] : [engine]);
    if ("missing" in files) throw new Error(files.missing);
    const before = process.memoryUsage.rss();
    const encoder = await loadOnnxEncoder(files);
    return new EmbeddingModel(encoder, process.memoryUsage.rss() - before);
  }

  async encode(text: string, maxTokens: number): Promise<Int8Array> {
    const key = createHash("sha256").update(`${maxTokens}\n${text}`).digest("base64url").slice(0, 22);
    const known = this.#known[key];
    if (known !== undefined) return new Int8Array(Buffer.from(known, "base64"));
    const vector = await this.encoder.encode(text, maxTokens);
    this.#known[key] = Buffer.from(vector).toString("base64");
    this.#isDirty = true;
    return vector;
  }

  /** Keeps what was computed for the next run. */
  save(): void {
    if (!this.#isDirty) return;
    mkdirSync(CACHE, { recursive: true });
    writeFileSync(this.#file, JSON.stringify(this.#known));
  }
}
