import { existsSync } from "node:fs";
import type { Decision } from "../here/records/session-events.ts";
import { logTrouble } from "../here/trouble-log.ts";
import { conversationIndexDirectory } from "../machine/places.ts";
import { type FactSituation, type Outcome, NOTHING, joinOutcomes, noticed } from "./situation.ts";
import { MAX_READ_CHARS, endsOf, isWorthRecalling, userWords } from "../memory/typed-text.ts";
import { type Candidate, type FactQuestion, tellFacts } from "./select-facts.ts";
import { endedOn } from "../here/consent/standing.ts";
import { handleOf } from "../memory/handle.ts";
import { type MemoryMetadata, memoryKey } from "../memory/memory.ts";
import type { RelevanceSignals } from "../search/relevance-signals.ts";
import { assessRelevance, relevanceSignals } from "../search/relevance-signals.ts";
import { rememberLast } from "../machine/remember-last.ts";
import { type Injection, FACT_INJECTIONS } from "../memory/memory-type.ts";
import { bestPassages } from "../search/best-passages.ts";
import { areLookAlikes, differenceOf, termsOfStatement } from "../search/difference.ts";
import { type SearchResult, search } from "../search/search.ts";

/** Tells the facts that are relevant to a prompt, and the past conversation that it is about. */
export async function answerPrompt(
  situation: FactSituation,
  { prompt, session }: { prompt: string; session: string },
  agent: string | undefined,
): Promise<Outcome> {
  if (situation.mode !== "typed" || !isWorthRecalling(prompt)) return NOTHING;
  const facts = await answerWithFacts(situation, { text: prompt, agent });
  // The code that tells of past conversations is loaded only where such are kept.
  const isKept = session !== "" && existsSync(conversationIndexDirectory(situation.place.places));
  if (agent !== undefined || !isKept) return facts;
  return joinOutcomes(facts, await pastConversation(situation, { prompt, session }));
}

const AGAIN = { form: "none", reason: "already injected in this session", chars: 0 } as const;

async function pastConversation(
  { place, session }: FactSituation,
  asked: { prompt: string; session: string },
): Promise<Outcome> {
  try {
    const { conversationLine } = await import("../past/conversations/find-conversations.ts");
    const { text, sessions, decisions } = conversationLine(place, {
      ...asked,
      deadlineAtMs: place.call.deadlineAtMs,
    });
    const noted = sessions.map((id) => `conversation:${id}`);
    if (noted.every((what) => session.noticed.has(what)))
      return { decisions: decisions.map((one) => (one.form === "none" ? one : { ...one, ...AGAIN })) };
    return { context: text, records: noticed(place, ...noted), decisions };
  } catch (error) {
    logTrouble("history", error, place.env);
    return NOTHING;
  }
}

const MAX_CANDIDATES = 10;
const MAX_REFUSED = 25;
/** At most so many pointers on one prompt: a longer list is a distraction. */
const MAX_POINTERS = 5;

/** Facts relevant to a prompt, or solutions whose symptom an error shows, chosen by policy, freshness and budget. */
export async function answerWithFacts(situation: FactSituation, question: FactQuestion): Promise<Outcome> {
  const { collection, place } = situation;
  const { injections = FACT_INJECTIONS } = question;
  const types = collection.types.all().filter(({ injection }) => injections.has(injection));
  const text = endsOf(question.text);
  const refused = new Map<string, Decision>();
  const result = search(collection.readers, {
    text,
    syntax: "prompt",
    limit: MAX_CANDIDATES,
    types: types.map(({ name }) => name),
    isExplained: true,
    deadlineAtMs: place.call.deadlineAtMs,
    admits(metadata) {
      const reason = situation.whyNotHere(metadata, { evenIfEnded: true });
      if (reason !== undefined && refused.size < MAX_REFUSED)
        refused.set(memoryKey(metadata), situation.leftOut(metadata, reason));
      return reason === undefined;
    },
  });
  const weights = new Map(result.terms.map(({ term, idf }) => [term, idf]));
  const passagesOf = (body: string, maxChars: number): string[] => bestPassages(body, weights, maxChars);
  const told = await tellFacts(situation, weigh(text, result, situation), question, passagesOf);
  const isCut = collection.isCut || result.isCut;
  return { ...joinOutcomes(told, { decisions: [...refused.values()] }), isCut };
}

/** Signals of each hit by the user's own words, not by what they pasted; a symptom may stand in that. */
export function signalsOf(
  text: string,
  result: SearchResult,
  injectionOf: (metadata: MemoryMetadata) => Injection | undefined,
): RelevanceSignals[] {
  // Whoever writes one line typed it, whatever it looks like.
  const asked = text.trim().includes("\n") ? userWords(text).prose : text;
  const byAsked = relevanceSignals(asked, result);
  const byAll = asked === text ? byAsked : relevanceSignals(text, result);
  return result.hits.map(
    ({ metadata }, i) => (injectionOf(metadata) === "symptom" ? byAll : byAsked)[i] as RelevanceSignals,
  );
}

function weigh(text: string, result: SearchResult, { collection, place }: FactSituation): Candidate[] {
  const policyOf = (metadata: MemoryMetadata): Injection | undefined =>
    collection.types.get(metadata.type)?.injection;
  const signals = signalsOf(text, result, policyOf);
  const weighed = result.hits.flatMap(({ metadata, score }, i): Candidate[] => {
    const signal = signals[i];
    const injection = policyOf(metadata);
    if (signal === undefined || injection === undefined) return [];
    const ended = endedOn(metadata, place.now());
    const decision = assessRelevance(signal, injection);
    // Most of a text that was cut is pasted: what its ends have in common with a memory is no question about it.
    if (text.length > MAX_READ_CHARS && injection !== "symptom" && decision.form === "body")
      decision.form = "pointer";
    return [{ metadata, score, ...decision, ...(ended !== undefined && { endedOn: ended }) }];
  });
  const ranked = weighed.sort(
    (a, b) =>
      Number(a.endedOn !== undefined) - Number(b.endedOn !== undefined) || b.probability - a.probability,
  );
  let pointers = 0;
  return singleOut(text, ranked).map((candidate): Candidate => {
    if (candidate.form !== "pointer" || ++pointers <= MAX_POINTERS) return candidate;
    return { ...candidate, form: "none", reason: `more than ${MAX_POINTERS} pointers for one prompt` };
  });
}

/** With this many look-alikes and none singled out, the prompt asks about none of them. */
const MANY = 3;

const termsOf = rememberLast(termsOfStatement);

/** "The runbook for billing" brings one of five runbooks: the one that the prompt singles out by a word of its own. */
function singleOut(prompt: string, candidates: readonly Candidate[]): Candidate[] {
  // Most prompts bring nothing, and a comparison costs as much as the search.
  if (candidates.length < 2 || candidates.every(({ form }) => form === "none")) return [...candidates];
  const asked = termsOfStatement(prompt);
  const isAsked = (term: string): boolean => asked.has(term);
  return candidates.map((candidate): Candidate => {
    if (candidate.form === "none") return candidate;
    const head = headOf(candidate.metadata);
    const lookAlikes = candidates.filter(
      (other) => other !== candidate && areOfOneFamily(candidate.metadata, other.metadata),
    );
    if (lookAlikes.length === 0) return candidate;
    const isSaid = head
      .filter(isAsked)
      .some((term) => lookAlikes.some((other) => !headOf(other.metadata).includes(term)));
    if (isSaid) return candidate;
    const meant = lookAlikes.find((other) =>
      headOf(other.metadata).some((term) => isAsked(term) && !head.includes(term)),
    );
    if (meant === undefined && lookAlikes.length + 1 < MANY) return candidate;
    const reason =
      meant === undefined
        ? `one of ${lookAlikes.length + 1} look-alikes, and the prompt fits all of them`
        : `similar to ${handleOf(meant.metadata)}, which fits the prompt better`;
    return { ...candidate, form: "none", reason };
  });
}

function headOf({ name, statement, aliases, trigger }: MemoryMetadata): string[] {
  return [...termsOf([name, statement, ...aliases, ...trigger].join(" ")).keys()];
}

function areOfOneFamily(metadata: MemoryMetadata, beside: MemoryMetadata): boolean {
  return (
    metadata.type === beside.type &&
    areLookAlikes(differenceOf(termsOf(metadata.statement), termsOf(beside.statement)))
  );
}
