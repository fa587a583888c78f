import { Worker } from "node:worker_threads";
import type { ModelFiles } from "./model-files.ts";

/** A native engine on a slow disk takes a second; past this time the machine is not up to it. */
const START_LIMIT_MS = 60_000;

/**
 * Starts the worker thread with a model; it does not keep the process alive. Rejects with why it did not
 * start; calls to a dead one reject.
 */
export function startWorkerEncoder(workerFile: string, files: ModelFiles): Promise<Encoder> {
  // The worker gets no environment: it needs none, and nothing there concerns it.
  const worker = new Worker(workerFile, { workerData: files, env: {}, stdout: true, stderr: true });
  // What an engine prints must not come between the server and its client.
  worker.stdout.resume();
  worker.stderr.resume();
  worker.unref();
  const waiting = new Map<number, { resolve: (vector: Int8Array) => void; reject: (error: Error) => void }>();
  let asked = 0;
  let death: Error | undefined;
  return new Promise((resolve, reject) => {
    const die = (error: Error): void => {
      clearTimeout(limit);
      death ??= error;
      reject(death);
      for (const { reject: refuse } of waiting.values()) refuse(death);
      waiting.clear();
      void worker.terminate();
    };
    const limit = setTimeout(
      () => die(new Error(`the embedding model did not load within ${START_LIMIT_MS / 1000} s`)),
      START_LIMIT_MS,
    ).unref();
    worker.on("error", (error) => die(error instanceof Error ? error : new Error(String(error))));
    worker.on("exit", (code) => die(new Error(`the worker of the embedding model ended (code ${code})`)));
    worker.on("message", (message: WorkerAnswer) => {
      switch (message.kind) {
        case "failed":
          die(new Error(`the embedding model did not load: ${message.reason}`));
          return;
        case "ready":
          clearTimeout(limit);
          resolve({
            model: message.model,
            dimensions: message.dimensions,
            runtime: message.runtime,
            encode: (text, maxTokens) =>
              new Promise((done, refuse) => {
                if (death) {
                  refuse(death);
                  return;
                }
                const request: EncodeRequest = { id: asked++, text, maxTokens };
                waiting.set(request.id, { resolve: done, reject: refuse });
                // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
                worker.postMessage(request);
              }),
            close: async () => {
              death ??= new Error("the embedding model was closed");
              await worker.terminate();
            },
          });
          return;
        case "vector":
          waiting.get(message.id)?.resolve(message.vector);
          break;
        case "error":
          waiting.get(message.id)?.reject(new Error(message.reason));
          break;
      }
      waiting.delete(message.id);
    });
  });
}

/** From the server to the worker: encode a text. */
export interface EncodeRequest {
  id: number;
  text: string;
  maxTokens: number;
}

/** From the worker: once that it is ready or why it cannot be, then an answer to each request. */
export type WorkerAnswer =
  | { kind: "ready"; model: string; dimensions: number; runtime: string }
  | { kind: "failed"; reason: string }
  | { kind: "vector"; id: number; vector: Int8Array }
  | { kind: "error"; id: number; reason: string };

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
