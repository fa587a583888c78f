import type { Field, IndexDocument } from "../src/search/index/document/index-document.ts";
import { memoryIndex } from "../src/search/index/index-writer.ts";
import type { MemoryMetadata } from "../src/memory/memory.ts";
import type { FieldWeight } from "../src/search/score-segments.ts";
import { search } from "../src/search/search.ts";
import { metadataOf } from "../test/memory/metadata-of.ts";
import type { PlainDocument } from "./plain-bm25.ts";
import { grepIndex, plainBm25Index } from "./plain-bm25.ts";
import type { RecallCollection, RecallDocument } from "./recall-data.ts";

/** A question to the ids of the best documents, best first. */
export type Ranker = (question: string, limit: number) => string[];
type ScoredRanker = (question: string, limit: number) => { id: string; score: number }[];

/** heed: dialogue through its adapter, notes as memories. */
export const heedRanker = (collection: RecallCollection): Ranker => {
  const isDialogue = collection.documents.some(({ session }) => session !== undefined);
  return idsOf((isDialogue ? dialogueSearch : noteSearch)(collection));
};

/** Notes as memories, ranked as a prompt ranks them. */
function noteSearch({ documents }: RecallCollection): ScoredRanker {
  const reader = memoryIndex(documents.map(noteOf));
  return (question, limit) =>
    search([reader], { text: question, syntax: "prompt", limit }).hits.map(({ metadata, score }) => ({
      id: metadata.id,
      score,
    }));
}

function noteOf({ id, text, name = "", description = "" }: RecallDocument): IndexDocument {
  return documentOfText(id, text, { name, statement: description });
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

/** Neighbouring turns within this distance lend their words to a turn. */
const REACH = 2;
/** Turns of more content words than this stand for themselves, and lend nothing. */
const MAX_LENDING_WORDS = 60;
/** What a turn's score is multiplied by when the question names its speaker. */
const NAMED_SPEAKER = 2;
/** The same for a turn that speaks of a time, when the question asks for one. */
const WHEN_CUE = 1.35;
/** Hits to which these factors are applied. */
const POOL = 300;
const MONTHS = "january february march april may june july august september october november december";

/**
 * The fields of a memory, used for what only dialogue has: the speaker stands under `tags`, the date under `aliases`,
 * the words of neighbouring turns under `description`. Found by a coarse sweep, each value by itself; a turn is short, and its length says nothing.
 */
const DIALOGUE_WEIGHTS: Readonly<Record<Field, FieldWeight>> = {
  name: { weight: 0, b: 0 },
  trigger: { weight: 0, b: 0 },
  tags: { weight: 1, b: 0 },
  statement: { weight: 0.4, b: 0.75 },
  aliases: { weight: 1, b: 0 },
  body: { weight: 1, b: 0 },
};

/** Searches a conversation by heed's own index and ranking, with what dialogue needs added in the documents. */
function dialogueSearch({ documents }: RecallCollection): ScoredRanker {
  const reader = memoryIndex(
    documents.map((document, i) => turnDocument(document, neighboursOf(documents, i))),
  );
  const byId = new Map(documents.map((document) => [document.id, document]));
  const speakers = [...new Set(documents.map(({ speaker }) => speaker ?? ""))].filter((name) => name !== "");
  return (question, limit) => {
    const { hits } = search([reader], {
      text: question,
      syntax: "prompt",
      limit: POOL,
      fieldWeights: DIALOGUE_WEIGHTS,
    });
    const lower = question.toLowerCase();
    const named = speakers.filter((speaker) => lower.includes(speaker.toLowerCase()));
    const asksWhen = /^\s*when\b|\b(?:what|which) (?:year|month|day|date|time)\b/i.test(question);
    return hits
      .map(({ metadata, score }) => {
        const turn = byId.get(metadata.id);
        let factor = 1;
        if (turn?.speaker !== undefined && named.length === 1 && named[0] === turn.speaker)
          factor *= NAMED_SPEAKER;
        if (asksWhen && turn !== undefined && speaksOfTime(turn.text)) factor *= WHEN_CUE;
        return { id: metadata.id, score: score * factor };
      })
      .sort((a, b) => b.score - a.score)
      .slice(0, limit);
  };
}

const TIME =
  /\b(?:yesterday|today|tonight|tomorrow|ago|last|next|week(?:end)?s?|months?|years?|morning|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|june|july|august|september|october|november|december|(?:19|20)\d\d)\b/i;

function speaksOfTime(text: string): boolean {
  return TIME.test(text);
}

/** Texts of the turns around one, of the same session, short ones only, and only for a short one. */
function neighboursOf(documents: readonly RecallDocument[], at: number): string[] {
  const turn = documents[at];
  if (turn === undefined || wordsIn(turn.text) > MAX_LENDING_WORDS) return [];
  const texts: string[] = [];
  for (let i = Math.max(0, at - REACH); i <= Math.min(documents.length - 1, at + REACH); i++) {
    const other = documents[i];
    if (i === at || other === undefined || other.session !== turn.session) continue;
    if (wordsIn(other.text) <= MAX_LENDING_WORDS) texts.push(other.text);
  }
  return texts;
}

/** About half of the words of prose carry content. */
const wordsIn = (text: string): number => text.split(/\s+/).length / 2;

function turnDocument(turn: RecallDocument, neighbours: readonly string[]): IndexDocument {
  return documentOfText(turn.id, turn.text, {
    statement: neighbours.join("\n"),
    tags: turn.speaker === undefined ? [] : [turn.speaker],
    aliases: [dateWords(turn.date ?? "")],
  });
}

/** The day, month and year of a date in words; the time of day answers no question. */
function dateWords(date: string): string {
  const words = date.toLowerCase().match(/[a-z]+|\d+/g) ?? [];
  return words
    .filter((word) => (MONTHS.includes(word) ? word.length > 2 : /^(?:19|20)\d\d$/.test(word)))
    .join(" ");
}

/** A text of a data set as heed indexes it; only what is searched matters. */
function documentOfText(id: string, body: string, metadata: Partial<MemoryMetadata> = {}): IndexDocument {
  const card = metadataOf({ id, name: id, statement: "", file: `${id}.md`, ...metadata });
  return { metadata: { ...card, sizeBytes: body.length, contentHash: id }, body };
}
