import type { Found, ForgetWish } from "../../capture/proposals/find-proposals.ts";
import { findProposals } from "../../capture/proposals/find-proposals.ts";
import {
  amendSentence,
  citedHandles,
  correctedStatement,
  isCorrection,
} from "../../capture/amend-sentence.ts";
import { oneLine } from "../../capture/one-line.ts";
import type { UserTurn } from "../../capture/session-digest.ts";
import { sentencesOf } from "../../capture/sentences.ts";
import { localDay } from "../../curate/calendar-day.ts";
import { Inbox } from "../../curate/inbox.ts";
import { resolveRelativeDates } from "../../curate/relative-dates.ts";
import type { Actor } from "../../memory/actor.ts";
import { HeedError } from "../../memory/heed-error.ts";
import type { MemoryDraft } from "../../memory/memory-draft.ts";
import { search } from "../../recall/search.ts";
import type { ProposalReport } from "../capture-api.ts";
import type { Collection } from "../collection.ts";
import { openCollection } from "../collection.ts";
import { openedStore } from "../opened-stores.ts";
import { readSession } from "../session-state.ts";
import type { Workspace } from "../workspace.ts";
import { enterStore } from "../write-operations-enter.ts";
import { draftOfMemory } from "../write-operations-judge.ts";
import { chooseStore } from "../write-operations-target.ts";
import type { FoundMemory } from "../write-operations-target.ts";
import type { WriteResult } from "../writing-api.ts";

/** The inbox is offered so many new items of a session. */
export const MAX_PROPOSALS: number = 3;
/** A memory that is not cited must share so much with the user's sentence to be meant by it. */
const NEAR = 0.6;
/** One that is cited is meant; the sentence in it must still be found. */
const CITED = 0.3;

/** How turns are proposed. */
export interface ProposeOptions {
  session: string;
  client: string;
  /** How many more may enter the inbox. */
  room: number;
  /** Only tell what would be proposed. */
  isRehearsal?: boolean;
}

/** Puts what the user said in these turns and is worth keeping into the inbox, the surest first. */
export async function proposeTurns(
  workspace: Workspace,
  turns: readonly UserTurn[],
  options: ProposeOptions,
): Promise<ProposalReport[]> {
  const proposed: ProposalReport[] = [];
  const isFull = (): boolean =>
    proposed.filter(({ outcome }) => outcome === "proposed").length >= options.room;
  const found = turns.flatMap((turn) => findProposals(turn));
  const corrected = new Set<UserTurn>();
  for (const turn of turns) {
    if (isFull()) return proposed;
    const amended = await amendCited(workspace, turn, options);
    if (!amended) continue;
    corrected.add(turn);
    proposed.push(amended);
  }
  for (const one of found.sort(byWeight)) {
    if (isFull()) break;
    if (corrected.has(one.turn) || isWrittenAlready(one)) continue;
    const result = await proposeOne(workspace, one, options);
    if (result) proposed.push(result);
  }
  return proposed;
}

function byWeight(a: Found | ForgetWish, b: Found | ForgetWish): number {
  return weightOf(b) - weightOf(a);
}

function weightOf(one: Found | ForgetWish): number {
  return one.kind === "forget" || one.isAsked ? 100 : one.logOdds;
}

/** What the agent has written into a memory itself after the turn is not proposed again. */
function isWrittenAlready({ turn, ...one }: Found | ForgetWish): boolean {
  if (turn.written.length === 0) return false;
  // What was asked for in so many words was answered by what was written then.
  if (one.kind === "forget" || one.isAsked) return true;
  const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? [];
  const written = new Set(words(turn.written.join("\n")));
  const said = [...new Set(words(one.draft.description))];
  return said.filter((word) => written.has(word)).length >= said.length * 0.4;
}

async function proposeOne(
  workspace: Workspace,
  one: Found | ForgetWish,
  options: ProposeOptions,
): Promise<ProposalReport | undefined> {
  if (one.kind === "forget") return proposeForgetting(workspace, one, options);
  const draft = await withAbsoluteDates(one.draft, one.turn.time);
  const isSaved = one.isAsked && draft.type === "feedback" && workspace.find().capture === "save";
  return enter(workspace, draft, {
    turn: one.turn,
    quote: one.quote,
    waitsFor: isSaved ? undefined : `you said: "${oneLine(one.quote, 100)}"`,
    isConfirmed: isSaved,
    options,
  });
}

interface Entering {
  turn: UserTurn;
  quote: string;
  waitsFor: string | undefined;
  isConfirmed: boolean;
  options: ProposeOptions;
  current?: FoundMemory;
}

async function enter(workspace: Workspace, draft: MemoryDraft, about: Entering): Promise<ProposalReport> {
  const { turn, quote, waitsFor, isConfirmed, options, current } = about;
  const { type, description } = draft;
  const told = { type, description, quote, time: turn.time };
  if (options.isRehearsal) return { ...told, outcome: "proposed", detail: "" };
  const actor: Actor = { kind: "hook", client: options.client, session: options.session };
  const policy = workspace.find().types.get(type);
  const chosen = current ? { store: current.store } : await chooseStore(workspace, draft, policy);
  if ("refusal" in chosen) return { ...told, outcome: "known", detail: chosen.refusal.reason };
  const result = await enterStore(workspace, {
    draft,
    actor,
    store: openedStore(workspace, chosen.store),
    isConfirmed,
    ...(current && { current }),
    ...(waitsFor !== undefined && { waitsFor }),
    why: `the user said: "${oneLine(quote, 120)}"`,
  });
  return { ...told, ...outcomeOf(result) };
}

function outcomeOf(result: WriteResult): Pick<ProposalReport, "outcome" | "detail"> {
  if (result.outcome === "pending") return { outcome: "proposed", detail: result.name };
  if (result.outcome === "refused")
    return { outcome: "known", detail: result.refusals.map(({ reason }) => reason).join("; ") };
  return { outcome: result.outcome === "unchanged" ? "known" : "saved", detail: `heed:${result.card.name}` };
}

/** "Thursday" is the Thursday after the day on which it was said, not after the day on which it is read. */
async function withAbsoluteDates(draft: MemoryDraft, time: string): Promise<MemoryDraft> {
  const moment = new Date(time);
  if (Number.isNaN(moment.getTime())) return draft;
  const day = localDay(moment);
  const [description, body] = await Promise.all(
    [draft.description, draft.body].map(async (text) => {
      // The quotation keeps the user's words.
      const parts = await Promise.all(
        text
          .split("\n")
          .map(async (line) => (line.startsWith("> ") ? line : (await resolveRelativeDates(line, day)).text)),
      );
      return parts.join("\n");
    }),
  );
  return { ...draft, description: oneLine(description ?? draft.description, 200), body: body ?? draft.body };
}

/** A turn that says that something known holds no longer: the memory that it cites, was told, or comes very near to. */
async function amendCited(
  workspace: Workspace,
  turn: UserTurn,
  options: ProposeOptions,
): Promise<ProposalReport | undefined> {
  const handles = citedHandles(turn.said);
  const sentences = sentencesOf(turn.prose).filter(isCorrection);
  if (sentences.length === 0) return undefined;
  const collection = await openCollection(workspace, { thoroughness: "full" });
  for (const sentence of sentences) {
    const plain = correctedStatement(sentence);
    for (const { memory, minShare } of await meantBy(
      workspace,
      collection,
      plain,
      handles,
      options.session,
    )) {
      if (memory.store.isReadOnly || memory.card.section !== undefined || memory.card.type === "episode")
        continue;
      const day = (turn.time === "" ? workspace.now().toISOString() : turn.time).slice(0, 10);
      const amended = amendSentence({ ...memory.card, body: memory.body }, plain, day, minShare);
      if (!amended) continue;
      const draft: MemoryDraft = {
        ...draftOfMemory(memory),
        description: amended.description,
        body: amended.body,
        isReplacement: true,
        isDistinct: true,
      };
      const waitsFor = `you corrected heed:${memory.card.name}: "${oneLine(plain, 100)}"`;
      return enter(workspace, draft, {
        turn,
        quote: sentence,
        waitsFor,
        isConfirmed: false,
        options,
        current: memory,
      });
    }
  }
  return undefined;
}

async function meantBy(
  workspace: Workspace,
  collection: Collection,
  sentence: string,
  handles: readonly string[],
  session: string,
): Promise<{ memory: FoundMemory; minShare: number }[]> {
  const told = readSession(workspace.places, session).context.told;
  const cited = collection.cards().filter((card) => handles.includes(card.name));
  const near =
    handles.length > 0
      ? []
      : search(collection.readers, { text: sentence, syntax: "prompt", limit: 3 }).hits.map(
          ({ card }) => card,
        );
  const meant: { memory: FoundMemory; minShare: number }[] = [];
  for (const card of [...cited, ...near]) {
    const read = await collection.read(card);
    if (!read) continue;
    const wasTold = told.has(`${card.storeId}:${card.id}`);
    const minShare = handles.includes(card.name) ? CITED : wasTold ? NEAR - 0.1 : NEAR;
    meant.push({ memory: { ...read, store: collection.storeOf(card) }, minShare });
  }
  return meant;
}

/** "Forget that …": the memory that is meant waits in the inbox to be removed. */
async function proposeForgetting(
  workspace: Workspace,
  wish: ForgetWish,
  options: ProposeOptions,
): Promise<ProposalReport | undefined> {
  const collection = await openCollection(workspace, { thoroughness: "full" });
  const handles = citedHandles(wish.about);
  const meant = await meantBy(workspace, collection, wish.about, handles, options.session);
  const memory = meant.find(
    ({ memory, minShare }) =>
      handles.includes(memory.card.name) ||
      amendSentence({ ...memory.card, body: memory.body }, wish.about, "", minShare) !== undefined,
  )?.memory;
  if (!memory || memory.store.isReadOnly) return undefined;
  const told = {
    type: memory.card.type,
    description: `forget heed:${memory.card.name}: ${memory.card.description}`,
    quote: wish.quote,
    time: wish.turn.time,
  };
  if (options.isRehearsal) return { ...told, outcome: "proposed", detail: memory.card.name };
  const inbox = new Inbox(workspace.places, workspace.find().types);
  const { contentHash, id, name: targetName } = memory.card;
  const {
    storeId: _store,
    file: _file,
    mtimeMs: _time,
    sizeBytes: _size,
    contentHash: _hash,
    bodyLength: _length,
    ...header
  } = memory.card;
  const name = inbox.put(
    { ...header, name: `forget-${targetName}`.slice(0, 80), body: memory.body },
    {
      at: workspace.now().toISOString(),
      reason: `you asked to forget it: "${oneLine(wish.quote, 100)}"`,
      by: { kind: "hook", client: options.client, session: options.session },
      store: memory.store.id,
      target: { id, name: targetName, hash: contentHash },
      flags: ["isRemoval"],
    },
  );
  if (!name)
    throw new HeedError("io-failed", "the inbox took no item", { file: "inbox", operation: "write" });
  return { ...told, outcome: "proposed", detail: name };
}
