import { existsSync } from "node:fs";
import type { FactDecision } from "../../inject/select-facts.ts";
import { SESSION_BUDGET_CHARS, selectFacts } from "../../inject/select-facts.ts";
import { isWorthRecalling } from "../../capture/transcript/user-words.ts";
import { plainHandle } from "../../memory/handle.ts";
import type { MemoryCard } from "../../memory/memory-card.ts";
import { isNamedIn } from "../../recall/is-named-in.ts";
import { memoryKey } from "../../memory/memory-key.ts";
import type { Decision } from "../api/session-events.ts";
import type { SessionRecord } from "../records/session-state.ts";
import { isShownByClient, readClientMemory } from "../place/client-memory.ts";
import type { EventOutcome } from "../records/event-outcome.ts";
import { NOTHING } from "../records/event-outcome.ts";
import { conversationIndexDirectory } from "../records/past-conversations.ts";
import { signatureOf } from "./map-mark.ts";
import { PromptVerdicts } from "./prompt-verdicts.ts";
import type { FactQuestion } from "./recall-facts.ts";
import { recallFacts } from "./recall-facts.ts";
import type { FactSituation } from "./situation.ts";
import { readForTelling, afterTelling, decisionOn, reviewed, toldAs, whyNotHere } from "./situation.ts";

/** What a prompt is told: facts that bear on it, and what changed in what is kept here since the context was opened. */
export async function answerPrompt(
  situation: FactSituation,
  { prompt, session }: { prompt: string; session: string },
  agent: string | undefined,
  deadlineAtMs: number,
): Promise<EventOutcome> {
  const asks = situation.mode === "typed" && isWorthRecalling(prompt);
  const facts = asks ? await factsAndHistory(situation, { prompt, session }, agent, deadlineAtMs) : NOTHING;
  const { map } = situation.session.context;
  const signature = map && signatureOf(situation);
  if (map === undefined || (signature !== "" && signature === map.signature)) return facts;
  const { changesSince } = await import("./changes-since.ts");
  const told = facts.records.flatMap((record) => (record.kind === "told" ? record.memories : []));
  const chars = facts.answer.context?.length ?? 0;
  const changes = await changesSince(afterTelling(await reviewed(situation), told), agent, chars);
  const context = [changes.text, facts.answer.context ?? ""].filter((part) => part !== "").join("\n\n");
  const time = situation.place.now().toISOString();
  const records: SessionRecord[] =
    changes.memories.length === 0
      ? changes.records
      : [
          {
            kind: "told",
            time,
            ...(agent !== undefined && { agent }),
            isBlock: false,
            // They do not count against the facts that a context may take.
            chars: 0,
            memories: changes.memories,
          },
          ...changes.records,
        ];
  return {
    ...facts,
    answer: { ...facts.answer, ...(context !== "" && { context }) },
    records: [...facts.records, ...records],
    decisions: [...changes.decisions, ...facts.decisions],
  };
}

async function factsAndHistory(
  situation: FactSituation,
  { prompt, session }: { prompt: string; session: string },
  agent: string | undefined,
  deadlineAtMs: number,
): Promise<EventOutcome> {
  const question = { text: prompt, ...(agent !== undefined && { agent }) };
  const facts = await answerWithFacts(situation, question, deadlineAtMs);
  // The code that tells of past conversations is loaded only where such are kept.
  const isKept = session !== "" && existsSync(conversationIndexDirectory(situation.place.places));
  if (agent !== undefined || !isKept) return facts;
  const { withConversation } = await import("./tell-conversation.ts");
  return withConversation(situation, { prompt, session, deadlineAtMs }, facts);
}

/** Facts relevant to a prompt, or solutions whose symptom an error shows, chosen by policy, freshness and budget. */
export async function answerWithFacts(
  situation: FactSituation,
  question: FactQuestion,
  deadlineAtMs: number,
): Promise<EventOutcome> {
  const recalled = recallFacts(situation, question, deadlineAtMs);
  const { collection, session } = situation;
  const client =
    question.agent === undefined ? readClientMemory(situation.root, situation.place.env) : undefined;
  const verdicts = new PromptVerdicts(situation);
  const selection = await selectFacts(recalled.candidates, {
    injectionOf: (card) => collection.types.get(card.type)?.injection,
    whyNot: (card) => whyNotHere(card, situation),
    toldAs: (card) => {
      const told = session.context.told.get(memoryKey(card));
      if (told?.hash !== card.contentHash) return undefined;
      return told.isWhole === true ? "whole line" : told.form;
    },
    isApproved: (card) => collection.storeOf(card).isTrusted,
    isPointedAt: isShownByClient(client, collection.stores),
    isNamed: (card) => isNamedIn(question.text, card),
    freshnessOf: (card) => verdicts.freshnessOf(card),
    read: (card) => readForTelling(collection, card),
    passagesOf: (body, maxChars) => recalled.passagesOf(body, maxChars),
    relatedTo: (card) => relatedTo(card, situation),
    charsLeft: SESSION_BUDGET_CHARS - session.context.factChars,
  });
  const decisions = [
    ...selection.decisions.map((decision) => toDecision(decision, situation)),
    ...recalled.refused.map(({ card, reason }) =>
      decisionOn(card, collection, { form: "none", reason, chars: 0 }),
    ),
  ];
  const afterwards = (): void => verdicts.save();
  if (selection.text === "") return { answer: {}, records: [], decisions, isCut: recalled.isCut, afterwards };
  return {
    answer: { context: selection.text },
    records: [toldRecord(selection.text, selection.decisions, situation, question.agent)],
    decisions,
    isCut: recalled.isCut,
    afterwards,
  };
}

function toldRecord(
  text: string,
  decisions: readonly FactDecision[],
  situation: FactSituation,
  agent: string | undefined,
): SessionRecord {
  return {
    kind: "told",
    time: situation.place.now().toISOString(),
    ...(agent !== undefined && { agent }),
    isBlock: false,
    chars: text.length,
    memories: decisions.filter(({ form }) => form !== "none").map(({ card, form }) => toldAs(card, form)),
  };
}

/** So many links of a memory are followed. */
const MAX_RELATED = 10;

/** The memories that a memory names as related, by id or name; one hop. */
function relatedTo(card: MemoryCard, { collection }: FactSituation): MemoryCard[] {
  return card.links
    .filter(({ rel }) => rel === "related")
    .slice(0, MAX_RELATED)
    .map(({ to }) => plainHandle(to))
    .flatMap((handle) => collection.readers.flatMap((reader) => reader.cardsByHandle(handle)))
    .filter((other) => memoryKey(other) !== memoryKey(card));
}

function toDecision(decision: FactDecision, { collection }: FactSituation): Decision {
  const { card, freshness, ...rest } = decision;
  const verdict = freshness && { standing: freshness.standing, verdict: freshness.words };
  return decisionOn(card, collection, { ...rest, ...verdict });
}
