import type { Question } from "./open-questions.ts";
import type { Decision, EventAnswer } from "../here/records/session-events.ts";
import { type Collection, openCollection } from "../here/collection.ts";
import type { Place } from "../here/place.ts";
import { modeHere, recheckMs } from "../here/user-config.ts";
import type { ClaimChecker } from "../here/claims/claim-checker.ts";
import { type Signals, type Verdict, assessFreshness } from "../freshness/verdict.ts";
import type { InjectedMemory, SessionRecord, SessionState } from "../here/records/session-state.ts";
import { injectedAs, readSession } from "../here/records/session-state.ts";
import { withApprovals } from "../here/consent/rule-approvals.ts";
import { type Admission, admissionAt, whyNotAdmitted } from "../here/consent/standing.ts";
import { wordsStamp, Approvals } from "../store/consent.ts";
import { localDay } from "../machine/read-fields.ts";
import { handleOf } from "../memory/handle.ts";
import type { MemoryMetadata, StoreRef } from "../memory/memory.ts";
import { type Injection, takesForce } from "../memory/memory-type.ts";
import { redactSecrets } from "../memory/screening/find-secrets.ts";
import { type Mode, stateOfStore } from "../store/config/store-config.ts";
import { findProjectRoot } from "../store/find-stores.ts";

/** Where an event happens and what is known there. Rules and guards may not stand as they were approved: facts alone are told of it. */
export interface FactSituation {
  place: Place;
  /** Root of the repository, or the working directory outside of one. */
  root: string;
  collection: Collection;
  admission: Admission;
  session: SessionState;
  /** Of the session, else of the environment, else of the project's or user's configuration. */
  mode: Mode;
}

/** The same, in which rules and guards stand as they were approved on this machine. */
export interface Situation extends FactSituation {
  /** Rules of the project store that others changed or added since it was approved, by memoryKey. */
  unreviewed: ReadonlyMap<string, "changed" | "new">;
}

/** No answer is longer than this many characters: at 10,000 the clients put the text in a file and show a preview. */
export const MAX_CONTEXT_CHARS: number = 9500;

/** The mode that holds: the session's own, else `HEED_MODE`, else what the stores' configurations say. */
export function modeOf(session: SessionState, place: Place): Mode {
  return modeHere(place, session.mode);
}

interface Opened {
  /** The indexes are opened within so many milliseconds. */
  deadlineMs: number;
  mode?: Mode;
  stores?: StoreRef[] | undefined;
}

/** Opens the indexes, and compares rules and guards with their approved text. */
export async function openSituation(place: Place, session: SessionState, how: Opened): Promise<Situation> {
  return checkApprovals(await openUnchecked(place, session, how));
}

/** A person or a program asks, who can wait. */
export const READER_MS = 10_000;

/** The situation of a reader outside of any session, whose context was told nothing. */
export function readerSituation(place: Place, how: Partial<Opened> = {}): Promise<Situation> {
  return openSituation(place, readSession(place.places, ""), { deadlineMs: READER_MS, ...how });
}

/** Opens the indexes for facts alone: comparing rules takes longer than the search. Where a fact carries a guard, they are compared. */
export async function openForFacts(place: Place, session: SessionState, how: Opened): Promise<FactSituation> {
  const situation = await openUnchecked(place, session, how);
  const { collection } = situation;
  const isFact = ({ type }: MemoryMetadata): boolean => !takesForce({ type }, collection.types);
  return collection.memoriesWith("guard").some(isFact) ? checkApprovals(situation) : situation;
}

/** Puts the approved text of rules and guards in the place of what files say. */
export async function checkApprovals(situation: FactSituation | Situation): Promise<Situation> {
  if ("unreviewed" in situation) return situation;
  const { place, session, collection: found } = situation;
  const { collection, unreviewed } = await withApprovals(place, found, session.noticed);
  return { ...situation, collection, admission: admissionAt(place, collection), unreviewed };
}

async function openUnchecked(
  place: Place,
  session: SessionState,
  { deadlineMs, mode = modeOf(session, place), stores }: Opened,
): Promise<FactSituation> {
  const collection = await openCollection(place, { deadlineMs, ...(stores && { stores }) });
  const root = findProjectRoot(place.cwd) ?? place.cwd;
  return { place, root, collection, admission: admissionAt(place, collection), session, mode };
}

/** So many memories are looked through in a millisecond, by the slower machines. */
const MEMORIES_A_MS = 100;
/** Of so many the estimate is trusted. */
const MAX_ESTIMATED = 5_000;
/** Of the time that is left, what reading more of them may take: looking through them takes about as long. */
const READING_SHARE = 0.5;

/** Whether there is time to look through all memories: nothing interrupts what does so. */
export async function hasTimeForAll({ collection, place }: FactSituation): Promise<boolean> {
  const count = collection.readers.reduce((sum, { documentCount }) => sum + documentCount, 0);
  const startedAt = performance.now();
  const leftMs = place.call.deadlineAtMs - startedAt;
  if (count <= MAX_ESTIMATED || count / MEMORIES_A_MS >= leftMs) return count / MEMORIES_A_MS < leftMs;
  const read = await collection.memoriesInTurns(undefined, startedAt + leftMs * READING_SHARE);
  return read.length >= count;
}

/** Why a memory does not hold in a situation, in words; undefined when it does. */
export function whyNotHere(
  metadata: MemoryMetadata,
  situation: FactSituation,
  options: { evenIfEnded?: boolean } = {},
): string | undefined {
  return whyNotAdmitted(metadata, situation.admission, options);
}

/** The memories in force here whose types are told in one of some ways. */
export function memoriesInForce(
  situation: FactSituation,
  isOf: (injection: Injection) => boolean,
): MemoryMetadata[] {
  const { collection } = situation;
  const types = collection.types.all().filter(({ injection }) => isOf(injection));
  return collection
    .memories(types.map(({ name }) => name))
    .filter((one) => collection.storeOf(one).isTrusted && whyNotHere(one, situation) === undefined);
}

/** A decision about a memory with the fields that every form has. */
export function decisionOn(
  metadata: MemoryMetadata,
  collection: Collection,
  decision: Pick<Decision, "form" | "reason" | "chars"> & Partial<Decision>,
): Decision {
  return {
    handle: handleOf(metadata),
    name: metadata.name,
    type: metadata.type,
    store: collection.storeOf(metadata).kind,
    ...decision,
  };
}

export const leftOut = (metadata: MemoryMetadata, collection: Collection, reason: string): Decision =>
  decisionOn(metadata, collection, { form: "none", reason, chars: 0 });

/** What a session notes once, for its log. */
export function noticed({ now }: Pick<Place, "now">, ...all: readonly string[]): SessionRecord[] {
  const time = now().toISOString();
  return all.map((what) => ({ kind: "noticed", time, what }));
}

/** How a memory was told by its line in the map, for the session's log. */
export function injectedAsLine(metadata: MemoryMetadata, isWhole: boolean): InjectedMemory {
  return { ...injectedAs(metadata, "map"), ...(isWhole && { isWhole }) };
}

/** The same situation, in a context that was also told these. */
export function afterInjection<Known extends FactSituation>(
  situation: Known,
  memories: readonly InjectedMemory[],
): Known {
  const { session } = situation;
  const injected = new Map([
    ...session.context.injected,
    ...memories.map((memory) => [memory.key, memory] as const),
  ]);
  return { ...situation, session: { ...session, context: { ...session.context, injected } } };
}

/** A memory's text without secrets: a hand edit passes no gate, and a cut may tear a secret apart. */
export async function readForInjection(
  collection: Pick<Collection, "read">,
  metadata: MemoryMetadata,
): Promise<{ metadata: MemoryMetadata; body: string } | undefined> {
  const read = await collection.read(metadata);
  return read && { metadata: read.metadata, body: redactSecrets(read.body) };
}

/** What a context knows of the state in which it was given its map, so that a later prompt sees what changed. */
export function mapMark(
  situation: FactSituation,
  agent: string | undefined,
  isWhole: boolean,
): Extract<SessionRecord, { kind: "map" }> {
  return {
    kind: "map",
    time: situation.place.now().toISOString(),
    agent,
    signature: signatureOf(situation),
    isWhole,
  };
}

/** Differs where what is in force may have changed. Empty, equal to none, without an index. */
export function signatureOf({ collection, place }: FactSituation): string {
  if (collection.source !== "index" || collection.isCut) return "";
  const stores = collection.stores.map(({ id, root, isTrusted }, i) => {
    const approved = Approvals.stampOf(stateOfStore(place.places, root));
    return `${id}@${collection.readers[i]?.generation ?? ""} ${isTrusted} ${approved}`;
  });
  const names = place.repository?.aliases ?? [];
  return [
    ...stores,
    wordsStamp(place.places),
    ...names,
    place.here().branch ?? "",
    localDay(place.now()),
  ].join(" ");
}

/** A context that is about to be told what it lacks. */
export interface Opening {
  situation: Situation;
  /** The subagent whose context it is; undefined for the session's main one. */
  agent: string | undefined;
  client: string;
  /** The client's session id; empty for a reader that has none. */
  session: string;
  /** What the user can be asked here; empty for a subagent and a reader, which have no user. */
  questions: readonly Question[];
  /** What is broken here, in words; empty but for a session's start. */
  broken: string;
}

/** What a context is told of one thing, with what the session's log and the receipt say of it. */
export interface Told {
  text: string;
  memories?: InjectedMemory[];
  decisions?: Decision[];
  records?: SessionRecord[];
  afterwards?: () => void;
}

export interface PartRoom {
  budgetChars: number;
  /** What it may take where less would lose something that must be said: all that is left but what is reserved. */
  limitChars: number;
}

/** One part of a fresh context, ready to be rendered. */
export interface ContextPart {
  /** It takes at most this many characters. */
  budgetChars: number;
  /** Characters kept for it, whatever the parts before it want. */
  reservedChars: number;
  /** Undefined where nothing useful fits. */
  render(room: PartRoom): Told | undefined;
}

/** One kind of thing that a context is told. A text is told whole or not at all. It defuses what others wrote. */
export type OpeningPart = (opening: Opening) => Promise<ContextPart | Told | string | undefined>;

/** What an event leads to: the answer, what the session remembers of it, and the decisions for the receipt. */
export interface EventOutcome {
  answer: EventAnswer;
  records: SessionRecord[];
  decisions: Decision[];
  isCut: boolean;
  /** What could not be decided, for the log. */
  trouble?: string | undefined;
  afterwards?: () => void;
}

export const NOTHING: EventOutcome = { answer: {}, records: [], decisions: [], isCut: false };

/** Several outcomes as one, their texts in this order. */
export function joinOutcomes(...outcomes: readonly EventOutcome[]): EventOutcome {
  const joined = (textOf: (one: EventOutcome) => string | undefined, gap: string): string | undefined =>
    outcomes.map(textOf).filter(Boolean).join(gap) || undefined;
  return {
    answer: {
      context: joined(({ answer }) => answer.context, GAP),
      notice: joined(({ answer }) => answer.notice, "\n"),
      decision: outcomes.find(({ answer }) => answer.decision)?.answer.decision,
      sendBack: outcomes.find(({ answer }) => answer.sendBack)?.answer.sendBack,
    },
    records: outcomes.flatMap(({ records }) => records),
    decisions: outcomes.flatMap(({ decisions }) => decisions),
    isCut: outcomes.some(({ isCut }) => isCut),
    trouble: joined(({ trouble }) => trouble, "; "),
    afterwards: () => {
      for (const { afterwards } of outcomes) afterwards?.();
    },
  };
}

/** An outcome of which some is given: the rest is nothing. */
export function outcomeWith(some: Partial<EventOutcome>): EventOutcome {
  return { ...NOTHING, ...some };
}

export const GAP = "\n\n";
export const textOf = (told: readonly Told[]): string => told.flatMap(({ text }) => text || []).join(GAP);

interface Telling {
  agent: string | undefined;
  /** What was told are facts, which have a budget in a context. */
  areFacts?: boolean;
  /** It opens a context, or brings it up to date; `isMore`: the rest did not fit. */
  block?: { isMore: boolean } | undefined;
}

/** What a context was told, for its model, its session's log and the receipt. */
export function outcomeOfTold(
  { place, collection }: FactSituation,
  told: readonly Told[],
  { agent, areFacts = false, block }: Telling,
): EventOutcome {
  const text = textOf(told);
  const memories = told.flatMap((one) => one.memories ?? []);
  const [time, chars] = [place.now().toISOString(), areFacts ? text.length : 0];
  const isBlock = block !== undefined;
  const isMore = block?.isMore;
  const record = { kind: "injected", time, agent, isBlock, isMore, chars, memories } as const;
  return outcomeWith({
    answer: { context: text },
    records: [
      ...(isBlock || memories.length > 0 ? [record] : []),
      ...told.flatMap((one) => one.records ?? []),
    ],
    decisions: told.flatMap((one) => one.decisions ?? []),
    isCut: collection.isCut,
    afterwards: () => {
      for (const one of told) one.afterwards?.();
    },
  });
}

/** The memories that outcomes put into a context. */
export function injectedBy(...outcomes: readonly EventOutcome[]): InjectedMemory[] {
  return outcomes.flatMap(({ records }) =>
    records.flatMap((record) => (record.kind === "injected" ? record.memories : [])),
  );
}

/** How fresh a fact is, as its line says it. */
export interface FactFreshness extends Pick<Verdict, "standing" | "isGone"> {
  /** The evidence; empty where the dates say it all. */
  words: string;
  isAlarm?: boolean;
  holdsInPart?: boolean;
  /** What moved, is gone or has passed; empty where there is nothing to say. */
  mark?: string;
  signals?: Signals;
  isCut?: boolean;
}

/** For all claims of a prompt; those left then say so. */
const PROMPT_MS = 20;
/** The same where a context is opened or a person asks for the map: that is not often, and its lines stay for the session. */
export const OPENING_MS: number = 250;

/** Verdicts on what a session is told: from what is known and from files alone, never from git, in bounded time. */
export class PromptVerdicts {
  readonly #situation: FactSituation;
  #checker: ClaimChecker | undefined;
  readonly #limitMs: number;
  #spentMs = 0;

  constructor(situation: FactSituation, limitMs: number = PROMPT_MS) {
    this.#situation = situation;
    this.#limitMs = recheckMs(situation.place, limitMs);
  }

  async freshnessOf(metadata: MemoryMetadata): Promise<FactFreshness> {
    const { collection, place } = this.#situation;
    // A fresh process would else spend its time on loading code, and look at nothing.
    if (metadata.claims.length > 0 || place.repository !== undefined)
      this.#checker ??= new (await import("../here/claims/claim-checker.ts")).ClaimChecker(place);
    const startedAt = performance.now();
    const deadlineAtMs = startedAt + Math.max(0, this.#limitMs - this.#spentMs);
    const policy = collection.types.get(metadata.type);
    const verdict = this.#checker
      ? await this.#checker.on(metadata, collection, { deadlineAtMs })
      : assessFreshness(metadata, policy, {}, place.now());
    this.#spentMs += performance.now() - startedAt;
    const { standing, words, mark, claims, isGone, isAlarm, isCut, signals } = verdict;
    const known = { standing, mark, isGone, isAlarm, isCut, signals };
    if (metadata.claims.length > 0) return { ...known, words, holdsInPart: claims.kept.length > 0 };
    // Its dates stand beside it: only what they do not say is added.
    return { ...known, words: mark === "" ? "" : `check: ${mark}` };
  }

  save(): void {
    this.#checker?.save();
  }
}
