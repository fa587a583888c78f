import type { IndexDocument } from "../src/index/document/index-document.ts";
import { memoryIndex } from "../src/index/memory-index.ts";
import { search } from "../src/recall/search.ts";
import { documentOfText } from "./document-of-text.ts";
import { dialogueSearch } from "./dialogue-search.ts";
import type { Ranker, ScoredRanker } from "./dialogue-search.ts";
import { plainBm25Index } from "./plain-bm25.ts";
import type { RecallCollection, RecallDocument } from "./recall-collection.ts";

/** heed: dialogue through its adapter, notes as memories. */
export function heedRanker(collection: RecallCollection): Ranker {
  const find = scoredHeedRanker(collection);
  return (question, limit) => find(question, limit).map(({ id }) => id);
}

/** heed's ranking with its scores. */
export function scoredHeedRanker(collection: RecallCollection): ScoredRanker {
  if (collection.documents.some(({ session }) => session !== undefined)) return dialogueSearch(collection);
  return noteSearch(collection);
}

/** Notes as memories, ranked as a prompt ranks them. */
function noteSearch({ documents }: RecallCollection): ScoredRanker {
  const reader = memoryIndex(documents.map(noteOf));
  return (question, limit) =>
    search([reader], { text: question, syntax: "prompt", limit }).hits.map(({ card, score }) => ({
      id: card.id,
      score,
    }));
}

function noteOf({ id, text, name = "", description = "", tags = [] }: RecallDocument): IndexDocument {
  return documentOfText(id, text, { name, description, tags: [...tags] });
}

/** Plain BM25 over everything that a document says, speaker included. */
export function plainRanker({ documents }: RecallCollection): Ranker {
  const find = plainBm25Index(
    documents.map((document) => ({ id: document.id, text: wholeTextOf(document) })),
  );
  return (question, limit) => find(question, limit).map(({ id }) => id);
}

/** How many of the question's words of four letters or more occur as they are written; ties in the order of the file. */
export function grepRanker({ documents }: RecallCollection): Ranker {
  const texts = documents.map((document) => ({ id: document.id, text: wholeTextOf(document).toLowerCase() }));
  return (question, limit) => {
    const words = [...new Set(question.toLowerCase().match(/[\p{L}\p{N}_-]{4,}/gu) ?? [])];
    return texts
      .map(({ id, text }) => ({ id, count: words.filter((word) => text.includes(word)).length }))
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count)
      .slice(0, limit)
      .map(({ id }) => id);
  };
}

function wholeTextOf({ speaker = "", name = "", description = "", text }: RecallDocument): string {
  return [speaker, name, description, text].join("\n");
}
