import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readJsonLines } from "./json-lines.ts";
import { readLocomo } from "./locomo-data.ts";
import type { RecallCollection, RecallDocument, RecallQuestion } from "./recall-collection.ts";

/**
 * Reads a folder with locomo.json or locomo10.json (the upstream shape), with documents.jsonl (`{collection, id, text, name?,
 * description?, tags?, speaker?, session?, date?}`) and questions.jsonl (`{collection, text, relevant: [id], category?}`),
 * or with memories.jsonl and labels.jsonl as the bench `inject` reads them.
 */
export function readRecallData(folder: string): RecallCollection[] {
  const locomo = existsSync(folder)
    ? readdirSync(folder).find((name) => /^locomo\w*\.json$/.test(name))
    : undefined;
  if (locomo !== undefined) return readLocomo(join(folder, locomo));
  const documents = readJsonLines<RecallDocument & { collection: string }>(join(folder, "documents.jsonl"));
  if (documents.length > 0) {
    const questions = readJsonLines<RecallQuestion & { collection: string }>(join(folder, "questions.jsonl"));
    return [...new Set(documents.map(({ collection }) => collection))].map((id) => ({
      id,
      documents: documents.filter(({ collection }) => collection === id),
      questions: questions
        .filter(({ collection }) => collection === id)
        .map((question) => ({ ...question, category: question.category ?? "all" })),
    }));
  }
  return readLabelledStores(folder);
}

interface RawMemory {
  id: string;
  store_id: string;
  type: string;
  name: string;
  description?: string | null;
  body?: string | null;
}

interface RawLabel {
  store_id: string;
  prompt: string;
  relevant?: { memory_id: string; grade: number }[] | null;
}

/** Stores of memories with prompts: what a prompt needs is what it should find. Rules come anyway and are left out. */
function readLabelledStores(folder: string): RecallCollection[] {
  const memories = ["memories.jsonl", "natural_store.jsonl"].flatMap((file) =>
    readJsonLines<RawMemory>(join(folder, file)),
  );
  const labels = ["labels.jsonl", "natural_labels.jsonl"].flatMap((file) =>
    readJsonLines<RawLabel>(join(folder, file)),
  );
  return [...new Set(labels.map((label) => label.store_id))].map((id) => ({
    id,
    documents: memories
      .filter((memory) => memory.store_id === id && memory.type !== "feedback")
      .map(({ id: memory, name, description, body }) => ({
        id: memory,
        name,
        description: description ?? "",
        text: body ?? "",
      })),
    questions: labels
      .filter((label) => label.store_id === id && (label.relevant ?? []).length > 0)
      .map(({ prompt, relevant }) => ({
        text: prompt,
        relevant: (relevant ?? []).map(({ memory_id }) => memory_id),
        category: "all",
      })),
  }));
}
