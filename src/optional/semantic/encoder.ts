/** Turns text into a vector whose direction stands for its meaning. */
export interface Encoder {
  /** Fingerprint of weights, tokenizer and recipe, 16 characters: vectors of two fingerprints are not comparable. */
  readonly model: string;
  readonly dimensions: number;
  /** Which engine computes, for status: `onnxruntime-node 1.30.0`, `onnxruntime-web (WASM)`. */
  readonly runtime: string;
  /** Reads the text up to `maxTokens`. Rejects when the model fails or is closed. */
  encode(text: string, maxTokens: number): Promise<Int8Array>;
  close(): Promise<void>;
}
