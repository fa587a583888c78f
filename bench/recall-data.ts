import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readRaw } from "./injection-data.ts";

/** A text that can be found. */
export interface RecallDocument {
  id: string;
  text: string;
  /** A note's own line above its text, where it has one. */
  name?: string;
  description?: string;
  /** Of dialogue: who says it, in which session, when (in words), in the order of the file. */
  speaker?: string;
  session?: string;
  date?: string;
}

/** A question with the texts that answer it. */
export interface RecallQuestion {
  text: string;
  relevant: readonly string[];
  category: string;
}

/** Texts among which questions are asked: a conversation, a store. */
export interface RecallCollection {
  id: string;
  documents: readonly RecallDocument[];
  questions: readonly RecallQuestion[];
}

/** Reads a folder with locomo.json or locomo10.json, or with memories.jsonl and labels.jsonl as the bench `inject` does. */
export function readRecallData(folder: string): RecallCollection[] {
  const locomo = existsSync(folder)
    ? readdirSync(folder).find((name) => /^locomo\w*\.json$/.test(name))
    : undefined;
  if (locomo !== undefined) return readLocomo(join(folder, locomo));
  return readLabelledStores(folder);
}

/** Stores of memories with prompts: what a prompt needs is what it should find. Rules come anyway and are left out. */
function readLabelledStores(folder: string): RecallCollection[] {
  const { memories, labels } = readRaw(folder);
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

interface Turn {
  speaker: string;
  dia_id: string;
  text: string;
  blip_caption?: string;
}

interface LocomoSample {
  sample_id: string;
  conversation: Record<string, string | Turn[]>;
  qa: { question: string; evidence?: string[] | null; category: number }[];
}

/** The categories of LoCoMo by their numbers (Maharana et al., ACL 2024). */
const CATEGORIES: Readonly<Record<number, string>> = {
  1: "multi_hop",
  2: "temporal",
  3: "open_domain",
  4: "single_hop",
  5: "adversarial",
};

/** Questions whose evidence is about somebody else than the one asked about. */
export const ADVERSARIAL = "adversarial";

/**
 * Reads LoCoMo as it is published: each turn a document, each question with evidence a question. Evidence that names
 * several turns in one string is split; what names no turn is left out.
 */
function readLocomo(file: string): RecallCollection[] {
  const samples = JSON.parse(readFileSync(file, "utf8")) as LocomoSample[];
  return samples.map(({ sample_id, conversation, qa }) => {
    const documents = Object.keys(conversation)
      .filter((key) => /^session_\d+$/.test(key))
      .flatMap((session) => turnsOf(conversation, session));
    const known = new Set(documents.map(({ id }) => id));
    const questions = qa
      .map(({ question, evidence, category }) => ({
        text: question,
        relevant: [...new Set((evidence ?? []).flatMap((part) => part.split(/[;\s]+/)))].filter((id) =>
          known.has(id),
        ),
        category: CATEGORIES[category] ?? String(category),
      }))
      .filter(({ relevant }) => relevant.length > 0);
    return { id: sample_id, documents, questions };
  });
}

function turnsOf(conversation: LocomoSample["conversation"], session: string): RecallDocument[] {
  const turns = conversation[session];
  if (!Array.isArray(turns)) return [];
  const date = conversation[`${session}_date_time`];
  return turns.map(({ speaker, dia_id, text, blip_caption }) => ({
    id: dia_id,
    text: blip_caption === undefined ? text : `${text}\n${blip_caption}`,
    speaker,
    session,
    ...(typeof date === "string" && { date }),
  }));
}
