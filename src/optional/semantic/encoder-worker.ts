import { parentPort, workerData } from "node:worker_threads";
import type { ModelFiles } from "./model-files.ts";
import { loadOnnxEncoder } from "./onnx-encoder.ts";
import type { EncodeRequest, WorkerAnswer } from "./worker-encoder.ts";

// The entry of the worker thread: loads the model, then encodes one text after the other.
function answer(message: WorkerAnswer): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(message);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function serve(): Promise<void> {
  const encoder = await loadOnnxEncoder(workerData as ModelFiles);
  const { model, dimensions, runtime } = encoder;
  const encode = async ({ id, text, maxTokens }: EncodeRequest): Promise<void> => {
    try {
      answer({ kind: "vector", id, vector: await encoder.encode(text, maxTokens) });
    } catch (error) {
      answer({ kind: "error", id, reason: reasonOf(error) });
    }
  };
  parentPort?.on("message", (request: EncodeRequest) => void encode(request));
  answer({ kind: "ready", model, dimensions, runtime });
}

serve().catch((error: unknown) => {
  answer({ kind: "failed", reason: reasonOf(error) });
  parentPort?.close();
});
