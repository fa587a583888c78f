import type { IndexDocument } from "../src/index/document/index-document.ts";
import { memoryIndex } from "../src/index/index-writer.ts";
import { search } from "../src/recall/search.ts";
import { documentOfText } from "./document-of-text.ts";
import { dialogueSearch, type Ranker, type ScoredRanker } from "./dialogue-search.ts";
import { type PlainDocument, grepIndex, plainBm25Index } from "./plain-bm25.ts";
import type { RecallCollection, RecallDocument } from "./recall-collection.ts";

/** heed: dialogue through its adapter, notes as memories. */
export const heedRanker = (collection: RecallCollection): Ranker => idsOf(scoredHeedRanker(collection));

/** heed's ranking with its scores. */
export function scoredHeedRanker(collection: RecallCollection): ScoredRanker {
  if (collection.documents.some(({ session }) => session !== undefined)) return dialogueSearch(collection);
  return noteSearch(collection);
}

/** Notes as memories, ranked as a prompt ranks them. */
function noteSearch({ documents }: RecallCollection): ScoredRanker {
  const reader = memoryIndex(documents.map(noteOf));
  return (question, limit) =>
    search([reader], { text: question, syntax: "prompt", limit }).hits.map(({ metadata, score }) => ({
      id: metadata.id,
      score,
    }));
}

function noteOf({ id, text, name = "", description = "", tags = [] }: RecallDocument): IndexDocument {
  return documentOfText(id, text, { name, description, tags: [...tags] });
}

/** Plain BM25 over everything that a document says, speaker included. */
export const plainRanker = (collection: RecallCollection): Ranker =>
  idsOf(plainBm25Index(wholeTexts(collection)));

/** The same texts by how many words of the question they hold. */
export const grepRanker = (collection: RecallCollection): Ranker => idsOf(grepIndex(wholeTexts(collection)));

const idsOf =
  (find: ScoredRanker): Ranker =>
  (question, limit) =>
    find(question, limit).map(({ id }) => id);

function wholeTexts({ documents }: RecallCollection): PlainDocument[] {
  return documents.map(({ id, speaker = "", name = "", description = "", text }) => ({
    id,
    text: [speaker, name, description, text].join("\n"),
  }));
}
