import { VectorTable } from "../src/optional/semantic/vector-table.ts";
import { MEMORY_TOKENS, QUERY_TOKENS } from "../src/optional/semantic/memory-text.ts";
import { fuseScores, MEANING_WEIGHT } from "../src/optional/semantic/rank-by-meaning.ts";
import type { Ranker } from "./dialogue-search.ts";
import type { Figure } from "./figure.ts";
import { scoredHeedRanker } from "./rankers.ts";
import type { RecallCollection, RecallDocument } from "./recall-collection.ts";
import type { EmbeddingModel } from "./embedding-model.ts";
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
