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
