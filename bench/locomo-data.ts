import { readFileSync } from "node:fs";
import type { RecallCollection, RecallDocument } from "./recall-collection.ts";

interface Turn {
  speaker: string;
  dia_id: string;
  text: string;
  blip_caption?: string;
}

interface Sample {
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
export function readLocomo(file: string): RecallCollection[] {
  const samples = JSON.parse(readFileSync(file, "utf8")) as Sample[];
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

function turnsOf(conversation: Sample["conversation"], session: string): RecallDocument[] {
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
