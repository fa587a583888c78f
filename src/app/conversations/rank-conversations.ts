import type { IndexReader } from "../../index/index-reader.ts";
import type { FieldWeight } from "../../recall/bm25f.ts";
import { inverseDocumentFrequency } from "../../recall/bm25f.ts";
import type { Field } from "../../index/document/index-document.ts";
import type { MemoryCard } from "../../memory/memory-card.ts";
import { search } from "../../recall/search.ts";
import { isTelling } from "./conversation-index.ts";
import type { Passage } from "../../capture/passages/passage.ts";
import { isQuestion, passagesOf } from "../../capture/passages/passage.ts";
import { wordsOf } from "../../recall/words-of.ts";
import type { PastConversation } from "../records/past-conversations.ts";

const NONE: FieldWeight = { weight: 0, b: 0 };
/** A conversation has a body alone; its length counts as usual. */
const BODY_ALONE: Readonly<Record<Field, FieldWeight>> = {
  name: NONE,
  trigger: NONE,
  tags: NONE,
  description: NONE,
  aliases: NONE,
  body: { weight: 1, b: 0.75 },
};
/** Stretches that are looked at; several may be of one conversation. */
const POOL = 60;
/** Of a longer text the beginning and the end are read: what is pasted between them is rarely the question. */
const MAX_TEXT_CHARS = 6000;
/** Among few conversations every word is rare or common by chance: they count as so many at least. */
const LEAST_COUNT = 100;

/** A conversation that was found, by its best stretch. */
export interface RankedConversation {
  session: string;
  /** The card of its best stretch. */
  card: MemoryCard;
  score: number;
  /** The score as it would be among a hundred conversations at least: comparable from one machine to another. */
  strength: number;
  /** Terms of the question that it holds, the rarest first. */
  terms: string[];
}

/** What is looked for, and where. */
export interface ConversationQuestion {
  text: string;
  syntax: "query" | "prompt";
  admits: (card: MemoryCard) => boolean;
  deadlineAtMs?: number;
}

/** The conversations in which a text is spoken about, best first; those that only ask come after those that tell. */
export function rankConversations(
  reader: IndexReader,
  { text, syntax, admits, deadlineAtMs }: ConversationQuestion,
): RankedConversation[] {
  const { hits, terms } = search([reader], {
    text: ends(text),
    syntax,
    limit: POOL,
    fieldWeights: BODY_ALONE,
    isExplained: true,
    admits,
    ...(deadlineAtMs !== undefined && { deadlineAtMs }),
  });
  const count = Math.max(LEAST_COUNT, reader.documentCount);
  const frequency = new Map(terms.map((term) => [term.term, term.documentFrequency]));
  const ranked = new Map<string, RankedConversation>();
  for (const { card, score, terms: parts = [] } of hits) {
    if (ranked.has(card.name)) continue;
    const strength = parts.reduce((sum, { term, idf, contribution }) => {
      const among = inverseDocumentFrequency(count, frequency.get(term) ?? 1);
      return idf === 0 ? sum : sum + (contribution / idf) * among;
    }, 0);
    const held = parts.toSorted((a, b) => b.idf - a.idf).map(({ term }) => term);
    ranked.set(card.name, { session: card.name, card, score, strength, terms: held });
  }
  return [...ranked.values()].toSorted((a, b) => Number(isTelling(b.card)) - Number(isTelling(a.card)));
}

function ends(text: string): string {
  const half = MAX_TEXT_CHARS / 2;
  return text.length <= MAX_TEXT_CHARS ? text : `${text.slice(0, half)}\n${text.slice(-half)}`;
}

/** So many passages of a conversation that was found are shown. */
const SHOWN_PASSAGES = 3;

/** The passages that hold the most words of a text, the best first; questions last, an answer with the words of its question. */
export function bestPassagesOf(past: PastConversation, text: string): Passage[] {
  const wanted = wordsOf(text);
  const passages = passagesOf(past.conversation);
  return passages
    .map((passage, i) => {
      const before = passages[i - 1];
      const asked = before && passage.kind === "answer" && isQuestion(before) ? before.text : "";
      const held = countHeld(wanted, wordsOf(`${asked}\n${passage.text}`));
      return { passage, tells: Number(!isQuestion(passage)), held };
    })
    .filter(({ held }) => held > 0)
    .toSorted((a, b) => b.tells - a.tells || b.held - a.held)
    .slice(0, SHOWN_PASSAGES)
    .map(({ passage }) => passage);
}

function countHeld(wanted: ReadonlySet<string>, words: ReadonlySet<string>): number {
  let count = 0;
  for (const word of wanted) if (words.has(word)) count += 1;
  return count;
}
