import { existsSync } from "node:fs";
import type { Decision } from "../api/session-events.ts";
import { isShownByClient, readClientMemory } from "../place/client-memory.ts";
import { conversationIndexDirectory } from "../records/past-conversations.ts";
import type { SessionRecord, TrailEntry } from "../records/session-state.ts";
import { PromptVerdicts } from "./prompt-verdicts.ts";
import { type FactQuestion, recallFacts } from "./recall-facts.ts";
import {
  type EventOutcome,
  type FactSituation,
  NOTHING,
  afterInjection,
  decisionOn,
  readForInjection,
  reviewed,
  signatureOf,
  injectedAs,
  whyNotHere,
} from "./situation.ts";
import { holdsCue } from "../../capture/cues.ts";
import { isWorthRecalling } from "../../capture/transcript/user-words.ts";
import { type FactDecision, SESSION_BUDGET_CHARS, selectFacts } from "../../inject/select-facts.ts";
import { plainHandle } from "../../memory/handle.ts";
import type { MemoryMetadata } from "../../memory/memory-metadata.ts";
import { memoryKey } from "../../memory/memory-key.ts";
import { isNamedIn } from "../../recall/is-named-in.ts";

/** What a prompt is told: facts that are relevant to it, and what changed in what is kept here since the context was opened. */
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
  const injected = facts.records.flatMap((record) => (record.kind === "injected" ? record.memories : []));
  const chars = facts.answer.context?.length ?? 0;
  const changes = await changesSince(afterInjection(await reviewed(situation), injected), agent, chars);
  const context = [changes.text, facts.answer.context ?? ""].filter((part) => part !== "").join("\n\n");
  const time = situation.place.now().toISOString();
  const records: SessionRecord[] =
    changes.memories.length === 0
      ? changes.records
      : [
          {
            kind: "injected",
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
    injectionOf: (metadata) => collection.types.get(metadata.type)?.injection,
    whyNot: (metadata) => whyNotHere(metadata, situation),
    injectedAs: (metadata) => {
      const injected = session.context.injected.get(memoryKey(metadata));
      if (injected?.hash !== metadata.contentHash) return undefined;
      return injected.isWhole === true ? "whole line" : injected.form;
    },
    isApproved: (metadata) => collection.storeOf(metadata).isTrusted,
    isPointedAt: isShownByClient(client, collection.stores),
    isNamed: (metadata) => isNamedIn(question.text, metadata),
    freshnessOf: (metadata) => verdicts.freshnessOf(metadata),
    read: (metadata) => readForInjection(collection, metadata),
    passagesOf: (body, maxChars) => recalled.passagesOf(body, maxChars),
    relatedTo: (metadata) => relatedTo(metadata, situation),
    charsLeft: SESSION_BUDGET_CHARS - session.context.factChars,
  });
  const decisions = [
    ...selection.decisions.map((decision) => toDecision(decision, situation)),
    ...recalled.refused.map(({ metadata, reason }) =>
      decisionOn(metadata, collection, { form: "none", reason, chars: 0 }),
    ),
  ];
  const afterwards = (): void => verdicts.save();
  if (selection.text === "") return { answer: {}, records: [], decisions, isCut: recalled.isCut, afterwards };
  return {
    answer: { context: selection.text },
    records: [injectedRecord(selection.text, selection.decisions, situation, question.agent)],
    decisions,
    isCut: recalled.isCut,
    afterwards,
  };
}

function injectedRecord(
  text: string,
  decisions: readonly FactDecision[],
  situation: FactSituation,
  agent: string | undefined,
): SessionRecord {
  return {
    kind: "injected",
    time: situation.place.now().toISOString(),
    ...(agent !== undefined && { agent }),
    isBlock: false,
    chars: text.length,
    memories: decisions
      .filter(({ form }) => form !== "none")
      .map(({ metadata, form }) => injectedAs(metadata, form)),
  };
}

/** So many links of a memory are followed. */
const MAX_RELATED = 10;

/** The memories that a memory names as related, by id or name; one hop. */
function relatedTo(metadata: MemoryMetadata, { collection }: FactSituation): MemoryMetadata[] {
  return metadata.links
    .filter(({ rel }) => rel === "related")
    .slice(0, MAX_RELATED)
    .map(({ to }) => plainHandle(to))
    .flatMap((handle) => collection.readers.flatMap((reader) => reader.memoriesByHandle(handle)))
    .filter((other) => memoryKey(other) !== memoryKey(metadata));
}

function toDecision(decision: FactDecision, { collection }: FactSituation): Decision {
  const { metadata, freshness, ...rest } = decision;
  const verdict = freshness && { standing: freshness.standing, verdict: freshness.words };
  return decisionOn(metadata, collection, { ...rest, ...verdict });
}

/** At most one prompt in this many carries the line. */
const SPACING = 20;
/** After so many lines on which nothing was written the session hears no more of them. */
const MAX_VAIN = 2;

/** The line: the model decides what comes of it. */
export const NUDGE: string =
  "heed: the user's message before this one may hold something that later sessions need (a rule, a correction, a decision, " +
  "an address), and nothing was written. If it does, write it first with memory_write and the user's words as quote; if " +
  "not, go on without a word about it.";

/**
 * Whether a prompt that was just typed is to carry the line: the turn before ended without a write, and something speaks
 * for one. That is that the user had interrupted the agent before it (a denied tool ends the agent's turn in the same way),
 * or that a cue stands in it.
 *
 * @param trail - what happened in the session before this prompt, in order.
 */
export function isNudgeDue(trail: readonly TrailEntry[]): boolean {
  const at = trail.findLastIndex(({ kind }) => kind === "turn");
  const turn = trail[at];
  if (!turn || turn.text === "" || trail.slice(at).some(({ kind }) => kind === "wrote")) return false;
  if (!holdsCue(turn.text) && !followsInterruption(trail, at)) return false;
  const last = trail.findLastIndex(({ kind }) => kind === "nudged");
  const turnsSince = trail.slice(last + 1).filter(({ kind }) => kind === "turn").length;
  return last < 0 || (turnsSince >= SPACING - 1 && countVain(trail) < MAX_VAIN);
}

/** Whether the agent's turn before the user's turn at `at` did not end by itself; only where clients say so at all. */
function followsInterruption(trail: readonly TrailEntry[], at: number): boolean {
  const before = trail.slice(0, at).findLastIndex(({ kind }) => kind === "turn");
  const isStop = ({ kind }: TrailEntry): boolean => kind === "stopped";
  return before >= 0 && trail.some(isStop) && !trail.slice(before, at).some(isStop);
}

/** How many lines had no effect: nothing was written in the turn that carried them. */
function countVain(trail: readonly TrailEntry[]): number {
  return trail.filter(({ kind }, at) => {
    if (kind !== "nudged") return false;
    const next = trail.slice(at + 1).find((entry) => entry.kind === "turn" || entry.kind === "wrote");
    return next?.kind !== "wrote";
  }).length;
}
