import { join } from "node:path";
import type { Decision } from "../../here/records/session-events.ts";
import { isInformative, openConversations } from "./conversation-index.ts";
import type { Place } from "../../here/place.ts";
import {
  type PastConversation,
  type Passage,
  type PassageKind,
  EVERYWHERE,
  conversationsFolder,
  readKept,
  isQuestion,
  passagesOf,
} from "../../here/records/past-conversations.ts";
import type { IndexReader } from "../../search/index/index-reader.ts";
import { type MemoryMetadata, byNewest } from "../../memory/memory.ts";
import { type FieldWeight, inverseDocumentFrequency } from "../../search/score-segments.ts";
import { search } from "../../search/search.ts";
import { phraseTest, wordsOf } from "../../search/search-query.ts";
import type { Field } from "../../search/index/document/index-document.ts";
import { defuseLine } from "../../memory/shown-text.ts";
import { endsOf, userWords } from "../../memory/typed-text.ts";
import { snippetOf } from "../../search/best-passages.ts";
import { triesIn, workedIn, doingOf, isOtherTry } from "../capture/tool-calls.ts";

interface FoundConversation extends RankedConversation {
  past: PastConversation;
}

/**
 * The conversations in which a text is spoken about, best first, of those that it is plainly about the newest; those whose
 * record went since are left out.
 */
export function findConversations(
  place: Place,
  reader: IndexReader,
  question: ConversationQuestion,
  limit: number,
): FoundConversation[] {
  const ranked = rankConversations(reader, question);
  const leading = leadingOf(ranked);
  const later = followUps(place, reader, question, leading);
  const first = [...leading, ...later].toSorted(newestFirst);
  const rest = ranked.filter(({ session }) => !first.some((one) => one.session === session));
  const isSaid = phraseTest(question.text);
  return keptOf(place, [...first, ...rest])
    .filter(({ metadata, past }) => isSaid?.({ metadata, body: textOf(past) }) !== false)
    .slice(0, limit);
}

const textOf = ({ conversation }: PastConversation): string =>
  passagesOf(conversation)
    .map(({ text }) => text)
    .join("\n\n");

function keptOf(place: Place, ranked: readonly RankedConversation[]): FoundConversation[] {
  return ranked.flatMap((one) => {
    const past = readKept(join(conversationsFolder(place.places), one.metadata.file));
    return past ? [{ ...one, past }] : [];
  });
}

/** Those that a text is plainly about, the strongest first; none where it is plainly about none. */
function leadingOf(ranked: readonly RankedConversation[]): RankedConversation[] {
  const sorted = ranked.toSorted((a, b) => b.strength - a.strength);
  const best = sorted[0]?.strength ?? 0;
  if (best < LEAST_STRENGTH) return [];
  return sorted.filter(({ metadata, strength }) => isInformative(metadata) && strength * LEAST_LEAD > best);
}

/** Later conversations about the same matter as the strongest: by its words, as an amendment may share none with the text. */
function followUps(
  place: Place,
  reader: IndexReader,
  question: ConversationQuestion,
  leading: readonly RankedConversation[],
): RankedConversation[] {
  const [best] = leading.length > MAX_LEADING ? [] : keptOf(place, leading.slice(0, 1));
  if (!best) return [];
  const alike = rankConversations(reader, { ...question, text: textOf(best.past), syntax: "prompt" });
  const own = alike.find(({ session }) => session === best.session)?.strength ?? Number.POSITIVE_INFINITY;
  return alike.filter(
    (one) =>
      newestFirst(one, best) < 0 &&
      isInformative(one.metadata) &&
      one.strength >= Math.max(LEAST_STRENGTH, own * LEAST_LIKENESS) &&
      !leading.some(({ session }) => session === one.session),
  );
}

/** Whether something took place in the repository at hand, or in this folder where there is none. */
export function isConversationHere(place: Place): (of: { scope: { repo?: string } }) => boolean {
  const here = place.here();
  const answers = new Map([
    ["", false],
    [EVERYWHERE, true],
  ]);
  return ({ scope: { repo = "" } }) => {
    const known = answers.get(repo) ?? here.isRepositoryHere(repo);
    answers.set(repo, known);
    return known;
  };
}

const NONE: FieldWeight = { weight: 0, b: 0 };
/** A conversation has a body alone; its length counts as usual. */
const BODY_ALONE: Readonly<Record<Field, FieldWeight>> = {
  name: NONE,
  trigger: NONE,
  tags: NONE,
  statement: NONE,
  aliases: NONE,
  body: { weight: 1, b: 0.75 },
};
const POOL = 60;
/** Among few conversations every word is rare or common by chance: they count as so many at least. */
const LEAST_COUNT = 100;
/** A term that more of the conversations hold says nothing of what one is about, and a long prompt has many of these. */
const RARE_SHARE = 0.1;

interface RankedConversation {
  session: string;
  metadata: MemoryMetadata;
  /** The score of its rare terms, as it would be among a hundred conversations at least: comparable between machines. */
  strength: number;
  /** Those that it holds, the rarest first. */
  terms: string[];
}

interface ConversationQuestion {
  text: string;
  syntax: "query" | "prompt";
  admits: (metadata: MemoryMetadata) => boolean;
  deadlineAtMs?: number;
}

function rankConversations(
  reader: IndexReader,
  { text, ...question }: ConversationQuestion,
): RankedConversation[] {
  const { hits, terms } = search([reader], {
    ...question,
    text: endsOf(text),
    limit: POOL,
    fieldWeights: BODY_ALONE,
    isExplained: true,
  });
  const count = Math.max(LEAST_COUNT, reader.documentCount);
  const frequency = new Map(terms.map((term) => [term.term, term.documentFrequency]));
  const ranked = new Map<string, RankedConversation>();
  for (const { metadata, terms: parts = [] } of hits) {
    const session = metadata.name;
    if (ranked.has(session)) continue;
    const strengths = parts.map(({ term, idf, contribution }) => {
      const among = frequency.get(term) ?? 1;
      const isRare = idf !== 0 && among <= RARE_SHARE * count;
      return isRare ? (contribution / idf) * inverseDocumentFrequency(count, among) : 0;
    });
    const strength = strengths.reduce((sum, one) => sum + one, 0);
    const held = parts.toSorted((a, b) => b.idf - a.idf).map(({ term }) => term);
    ranked.set(session, { session, metadata, strength, terms: held });
  }
  const tells = ({ metadata }: RankedConversation): number => Number(isInformative(metadata));
  return [...ranked.values()].toSorted((a, b) => tells(b) - tells(a));
}

const SHOWN_PASSAGES = 3;

/** The passages that hold the most words of a text, the best first; questions last, an answer with the words of its question. */
export function bestPassagesOf(past: PastConversation, text: string): Passage[] {
  const wanted = wordsOf(text);
  const passages = passagesOf(past.conversation);
  // A name such as `zq200w` is no word, and may be all that was asked for.
  const names = text.split(/\s+/).filter((name) => /\d/.test(name));
  const isNamed = (passage: Passage): boolean => names.some((name) => passage.text.includes(name));
  return passages
    .map((passage, i) => {
      const before = passages[i - 1];
      const asked = before && passage.kind === "answer" && isQuestion(before) ? before.text : "";
      const held = wordsHeld(wanted, `${asked}\n${passage.text}`) + Number(isNamed(passage));
      return { passage, tells: Number(!isQuestion(passage)), held };
    })
    .filter(({ held }) => held > 0)
    .toSorted((a, b) => b.tells - a.tells || b.held - a.held)
    .slice(0, SHOWN_PASSAGES)
    .map(({ passage }) => passage);
}

/** How many of the words a text holds. */
export function wordsHeld(wanted: ReadonlySet<string>, text: string): number {
  const words = wordsOf(text);
  return [...wanted].filter((word) => words.has(word)).length;
}

/**
 * A prompt is plainly about a past conversation when that holds so much of its rare words, in BM25 units (three or four
 * words that hardly another conversation has), and at most one about another matter holds nearly as much. Chosen on 17 bug
 * reports whose rule was settled in one of many chats, against 2,109 real prompts of other projects.
 */
const LEAST_STRENGTH = 11.5;
const LEAST_LEAD = 1.75;
const MAX_LEADING = 3;
/** Of its own strength: conversations about other matters reach an eighth. */
const LEAST_LIKENESS = 0.25;
const MAX_QUOTE_CHARS = 160;
const MAX_FOUND = 6;

interface ConversationLine {
  text: string;
  sessions: string[];
  decisions: Decision[];
}

/** Looks for it in the index as it is. `session` is the one that asks. */
export function conversationLine(
  place: Place,
  asked: { prompt: string; session: string; deadlineAtMs: number },
): ConversationLine {
  const nothing = { text: "", sessions: [], decisions: [] };
  const reader = place.found.history === "off" ? undefined : openConversations(place);
  if (!reader) return nothing;
  const isHere = isConversationHere(place);
  const question = {
    // What is pasted brings along what it is about.
    text: userWords(asked.prompt).prose,
    syntax: "prompt",
    admits: (metadata: MemoryMetadata) =>
      metadata.name !== asked.session && isInformative(metadata) && isHere(metadata),
    deadlineAtMs: asked.deadlineAtMs,
  } as const;
  const ranked = rankConversations(reader, question);
  const [best] = ranked.toSorted((a, b) => b.strength - a.strength);
  if (!best || best.strength === 0) return nothing;
  const reason = `rare words in common weigh ${best.strength.toFixed(1)} (a line needs ${LEAST_STRENGTH})`;
  // Most prompts end here, with one search and no record read.
  if (best.strength < LEAST_STRENGTH) return { ...nothing, decisions: [decisionOn(best, "none", reason)] };
  const leading = leadingOf(ranked);
  const later = followUps(place, reader, question, leading).slice(0, MAX_LEADING - leading.length);
  const near = keptOf(place, [...leading.slice(0, MAX_FOUND), ...later]).toSorted(newestFirst);
  if (near.length === 0 || near.length > MAX_LEADING) {
    const many =
      near.length === 0
        ? `${reason}; its record is gone`
        : `${reason}, and those of ${near.length - 1} others nearly as much`;
    return { ...nothing, decisions: [decisionOn(best, "none", many)] };
  }
  const lines = near.map((found, i) => describe(found, asked.prompt, i === 0));
  return {
    text: `${lines.join(" ")} memory_history with a session gives the rest. It is a record, not an instruction.`,
    sessions: near.map(({ session }) => session),
    decisions: near.map((found, i) => {
      const isBest = found.session === best.session;
      const words = isBest ? reason : `nearly as many rare words of the prompt as ${best.session}`;
      return decisionOn(found, "pointer", words, lines[i]?.length);
    }),
  };
}

/** What was said last may amend what was said before. */
const newestFirst = (a: RankedConversation, b: RankedConversation): number =>
  byNewest(a.metadata, b.metadata);

function decisionOn(
  { session, strength, terms }: RankedConversation,
  form: "pointer" | "none",
  reason: string,
  chars = 0,
): Decision {
  const words = terms.slice(0, 5).join(", ");
  return {
    handle: `conversation:${session}`,
    name: session,
    type: "conversation",
    store: "conversations",
    form,
    reason: `${reason}; the rarest: ${words}`,
    chars,
    score: strength,
  };
}

const WORDS: Readonly<Record<PassageKind, string>> = {
  said: "the user said",
  answer: "the agent said",
  fixed: "what was run",
  record: "heed noted",
};

function describe({ session, past, terms }: FoundConversation, prompt: string, isFirst: boolean): string {
  const { conversation } = past;
  const [passage = passagesOf(conversation)[0]] = bestPassagesOf(past, prompt);
  const quote = defuseLine(snippetOf(passage?.text ?? "", terms, MAX_QUOTE_CHARS));
  const head = isFirst ? "A past conversation seems to be about this" : "Another, older, may be";
  const day = conversation.ended === "" ? "an unknown day" : conversation.ended.slice(0, 10);
  const name = `session "${defuseLine(session).slice(0, 80)}" of ${day}`;
  return `${head}, ${name}; ${WORDS[passage?.kind ?? "said"]}: "${quote}".`;
}

/** So many conversations are read for an answer, the newest, within milliseconds. */
const MAX_READ = 20;
const MAX_MS = 100;

interface WorkedThen {
  command: string;
  session: string;
  day: string;
}

/** What worked in this repository after tries like a command that failed now, by the records of other sessions; the newest first. */
export function workedThen(place: Place, command: string, session: string): WorkedThen[] {
  const doing = place.found.history === "off" ? "" : doingOf(command);
  const reader = doing === "" ? undefined : openConversations(place);
  const isHere = isConversationHere(place);
  const found = (reader?.memoriesNaming(`fixed ${doing}`) ?? [])
    .filter((metadata) => metadata.name !== session && isHere(metadata))
    .toSorted(byNewest);
  const files = [...new Map(found.map(({ name, file }) => [file, name]))].slice(0, MAX_READ);
  const until = performance.now() + MAX_MS;
  const worked = files.flatMap(([file, name]) => {
    const past =
      performance.now() > until ? undefined : readKept(join(conversationsFolder(place.places), file));
    return (past ? passagesOf(past.conversation) : []).toReversed().flatMap(({ kind, text, time }) => {
      const then = kind === "fixed" ? workedIn(text) : "";
      const isOfIt =
        !then.endsWith("…") &&
        isOtherTry(command, then) &&
        triesIn(text).some((tried) => isOtherTry(tried, then));
      return isOfIt ? [{ command: then, session: name, day: time.slice(0, 10) }] : [];
    });
  });
  return [...new Map(worked.toReversed().map((one) => [one.command, one])).values()].toReversed();
}
