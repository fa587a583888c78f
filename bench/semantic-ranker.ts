import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MEMORY_TOKENS, QUERY_TOKENS } from "../src/optional/semantic/memory-text.ts";
import { findModelFiles } from "../src/optional/semantic/model-files.ts";
import { loadOnnxEncoder } from "../src/optional/semantic/onnx-encoder.ts";
import { fuseScores, MEANING_WEIGHT } from "../src/optional/semantic/rank-by-meaning.ts";
import { VectorTable } from "../src/optional/semantic/vector-table.ts";
import type { Encoder } from "../src/optional/semantic/worker-encoder.ts";
import type { Figure } from "./figure.ts";
import type { Ranker } from "./rankers.ts";
import { scoredHeedRanker } from "./rankers.ts";
import type { RecallCollection, RecallDocument } from "./recall-data.ts";
import { median } from "./statistics.ts";

/** Hits by words that are fused: enough that what stands behind them could not come to the front. */
const POOL = 300;
/** Questions whose cost is measured, without what was computed before. */
const MEASURED = 40;

/** heed's ranking fused with nearness of meaning over all texts of the collection. */
export async function semanticRanker(collection: RecallCollection, model: EmbeddingModel): Promise<Ranker> {
  const { documents, questions } = collection;
  const table = new VectorTable(model.encoder.dimensions);
  for (const [i, { id }] of documents.entries())
    table.add(id, await model.encode(textAt(documents, i), MEMORY_TOKENS));
  const asked = new Map<string, Int8Array>();
  for (const { text } of questions) asked.set(text, await model.encode(text, QUERY_TOKENS));
  const find = scoredHeedRanker(collection);
  return (question, limit) => {
    const query = asked.get(question);
    const byWords = find(question, POOL).map(({ id, score }) => ({ key: id, score }));
    const byMeaning = query === undefined ? [] : table.nearTo(query, -1);
    return fuseScores(
      byWords,
      byMeaning.map(({ key, cosine }) => ({ key, score: cosine })),
      MEANING_WEIGHT,
    )
      .slice(0, limit)
      .map(({ key }) => key);
  };
}

/** What the model costs a question: its vector, computed again, and in memory. */
export async function semanticCost(
  collections: readonly RecallCollection[],
  model: EmbeddingModel,
): Promise<Figure[]> {
  const texts = collections.flatMap(({ questions }) => questions.map(({ text }) => text)).slice(0, MEASURED);
  const times: number[] = [];
  for (const text of texts) {
    const startedAt = performance.now();
    await model.encoder.encode(text, QUERY_TOKENS);
    times.push(performance.now() - startedAt);
  }
  return [
    {
      name: "semantic_encode_ms",
      value: median(times),
      unit: "ms",
      n: times.length,
      note: model.encoder.runtime,
    },
    {
      name: "semantic_model_mb",
      value: model.grownBytes / 1e6,
      unit: "MB",
      n: 1,
      note: "the process grew by it",
    },
  ];
}

/** A turn says little by itself: it is encoded with the turns before and after it. A note stands for itself. */
function textAt(documents: readonly RecallDocument[], at: number): string {
  const document = documents[at] as RecallDocument;
  if (document.session === undefined) {
    const { name = "", description = "", text } = document;
    return `${name.replace(/[-_]+/g, " ")}. ${description}\n${text}`;
  }
  return documents
    .slice(Math.max(0, at - 1), at + 2)
    .filter(({ session }) => session === document.session)
    .map(({ speaker = "", text }) => `${speaker}: ${text}`)
    .join("\n");
}

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
