import type { Question } from "./open-questions.ts";
import type { Decision, EventAnswer } from "../here/records/session-events.ts";
import { type Collection, openCollection } from "../here/collection.ts";
import type { Place } from "../here/place.ts";
import { modeHere, recheckMs } from "../here/user-config.ts";
import type { ClaimChecker } from "../here/claims/claim-checker.ts";
import { type Verdict, assessFreshness } from "../freshness/verdict.ts";
import type { InjectedMemory, SessionRecord, SessionState } from "../here/records/session-state.ts";
import { readSession } from "../here/records/session-state.ts";
import { withApprovals } from "../here/consent/rule-approvals.ts";
import { type WhyNotHere, whyNotAt } from "../here/consent/standing.ts";
import { wordsStamp, Approvals } from "../store/consent.ts";
import { localDay } from "../machine/read-fields.ts";
import { handleOf } from "../memory/handle.ts";
import { type MemoryMetadata, type StoreRef, memoryKey } from "../memory/memory.ts";
import { type Injection, takesForce } from "../memory/memory-type.ts";
import { redactSecrets } from "../memory/screening/find-secrets.ts";
import { type Mode, stateOfStore } from "../store/config/store-config.ts";
import { findProjectRoot } from "../store/find-stores.ts";

/** No answer is longer than this many characters: at 10,000 the clients put the text in a file and show a preview. */
export const MAX_CONTEXT_CHARS: number = 9500;

const MEMORIES_A_MS = 100;
const MAX_ESTIMATED = 5_000;
/** Of the time that is left, what reading more of them may take: looking through them takes about as long. */
const READING_SHARE = 0.5;

/** The same before rules and guards are compared with their approved text: only facts are told of it. */
export type FactSituation = Omit<Situation, "unreviewed" | "after">;

/** Where an event happens and what is known there; rules and guards stand as they were approved on this machine. */
export class Situation {
  readonly place: Place;
  readonly session: SessionState;
  /** Of the session, else of the environment, else of the project's or user's configuration. */
  readonly mode: Mode;
  readonly collection: Collection;
  readonly whyNotHere: WhyNotHere;
  /** Root of the repository, or the working directory outside of one. */
  readonly root: string;
  /** Rules of the project store that others changed or added since it was approved, by memoryKey. */
  readonly unreviewed: ReadonlyMap<string, "changed" | "new">;
  readonly #isChecked: boolean;

  constructor(
    place: Place,
    session: SessionState,
    mode: Mode,
    collection: Collection,
    unreviewed?: ReadonlyMap<string, "changed" | "new">,
  ) {
    this.place = place;
    this.session = session;
    this.mode = mode;
    this.collection = collection;
    this.whyNotHere = whyNotAt(place, collection);
    this.root = findProjectRoot(place.cwd) ?? place.cwd;
    this.unreviewed = unreviewed ?? new Map();
    this.#isChecked = unreviewed !== undefined;
  }

  /** With the approved text of rules and guards in the place of what files say. */
  async checked(): Promise<Situation> {
    if (this.#isChecked) return this;
    const { place, session, mode } = this;
    const { collection, unreviewed } = await withApprovals(place, this.collection, session.noticed);
    return new Situation(place, session, mode, collection, unreviewed);
  }

  isTrusted(metadata: MemoryMetadata): boolean {
    return this.collection.storeOf(metadata).isTrusted;
  }

  /** Whether this context knows a memory as it is, and that it is in force. */
  isTold(metadata: MemoryMetadata): boolean {
    const known = this.session.context.injected.get(memoryKey(metadata));
    return known?.hash === metadata.contentHash && known.form !== "none" && known.isData !== true;
  }

  /** The memories in force here whose types are told in one of some ways. */
  memoriesInForce(isOf: (injection: Injection) => boolean): MemoryMetadata[] {
    const types = this.collection.types.all().filter(({ injection }) => isOf(injection));
    return this.collection
      .memories(types.map(({ name }) => name))
      .filter((one) => this.isTrusted(one) && this.whyNotHere(one) === undefined);
  }

  /** A memory's text without secrets: a hand edit passes no gate, and a cut may tear a secret apart. */
  async read(metadata: MemoryMetadata): Promise<{ metadata: MemoryMetadata; body: string } | undefined> {
    const read = await this.collection.read(metadata);
    return read && { metadata: read.metadata, body: redactSecrets(read.body) };
  }

  /** Whether there is time to look through all memories: nothing interrupts what does so. */
  async hasTimeForAll(): Promise<boolean> {
    const count = this.collection.readers.reduce((sum, { documentCount }) => sum + documentCount, 0);
    const startedAt = performance.now();
    const leftMs = this.place.call.deadlineAtMs - startedAt;
    if (count <= MAX_ESTIMATED || count / MEMORIES_A_MS >= leftMs) return count / MEMORIES_A_MS < leftMs;
    const read = await this.collection.memoriesInTurns(undefined, startedAt + leftMs * READING_SHARE);
    return read.length >= count;
  }

  /** Differs where what is in force may have changed. Empty, equal to none, without an index. */
  signature(): string {
    const { collection, place } = this;
    if (collection.isCut || collection.readers.some(({ generation }) => generation === "")) return "";
    const stores = collection.stores.map(({ id, root, isTrusted }, i) => {
      const approved = Approvals.stampOf(stateOfStore(place.places, root));
      return `${id}@${collection.readers[i]?.generation ?? ""} ${isTrusted} ${approved}`;
    });
    const names = place.repository?.aliases ?? [];
    const branch = place.here().branch ?? "";
    return [...stores, wordsStamp(place.places), ...names, branch, localDay(place.now())].join(" ");
  }

  /** What a context knows of the state in which it was given its map, so that a later prompt sees what changed. */
  mapMark(agent: string | undefined, isWhole: boolean): SessionRecord {
    const time = this.place.now().toISOString();
    return { kind: "map", time, agent, signature: this.signature(), isWhole };
  }

  decisionOn(
    metadata: MemoryMetadata,
    decision: Pick<Decision, "form" | "reason" | "chars"> & Partial<Decision>,
  ): Decision {
    const { name, type } = metadata;
    const store = this.collection.storeOf(metadata).kind;
    return { handle: handleOf(metadata), name, type, store, ...decision };
  }

  leftOut(metadata: MemoryMetadata, reason: string): Decision {
    return this.decisionOn(metadata, { form: "none", reason, chars: 0 });
  }

  /** The same, in a context that was also told this. */
  after({ memories = [] }: Outcome): Situation {
    const { context } = this.session;
    const injected = new Map([...context.injected, ...memories.map((one) => [one.key, one] as const)]);
    const session = { ...this.session, context: { ...context, injected } };
    return new Situation(this.place, session, this.mode, this.collection, this.unreviewed);
  }
}

interface Opened {
  mode?: Mode;
  stores?: StoreRef[] | undefined;
}

/** Opens the indexes, and compares rules and guards with their approved text. */
export async function openSituation(place: Place, session: SessionState, how?: Opened): Promise<Situation> {
  return (await openUnchecked(place, session, how)).checked();
}

export const READER_MS = 10_000;
/** Of an event's time, what reading indexes may take. */
const OPENING_SHARE = 0.7;

/** The situation of a reader outside of any session, whose context was told nothing. */
export function readerSituation(place: Place, how?: Opened): Promise<Situation> {
  return openSituation(place, readSession(place.places, ""), how);
}

/** Opens the indexes for facts alone: comparing rules takes longer than the search. Where a fact carries a guard, they are compared. */
export async function openForFacts(place: Place, session: SessionState): Promise<FactSituation> {
  const situation = await openUnchecked(place, session);
  const { collection } = situation;
  const isFact = ({ type }: MemoryMetadata): boolean => !takesForce({ type }, collection.types);
  return collection.memoriesWith("guard").some(isFact) ? situation.checked() : situation;
}

async function openUnchecked(
  place: Place,
  session: SessionState,
  { mode = modeHere(place, session.mode), stores }: Opened = {},
): Promise<FactSituation> {
  const leftMs = place.call.deadlineAtMs - performance.now();
  const deadlineMs = Math.min(READER_MS, leftMs * OPENING_SHARE);
  const collection = await openCollection(place, { deadlineMs, ...(stores && { stores }) });
  return new Situation(place, session, mode, collection);
}

export function noticed({ now }: Pick<Place, "now">, ...all: readonly string[]): SessionRecord[] {
  const time = now().toISOString();
  return all.map((what) => ({ kind: "noticed", time, what }));
}

/** What an event, or one thing that is told, leads to: for the model and the user, the session's log and the receipt. */
export interface Outcome extends Omit<EventAnswer, "receipt"> {
  /** What enters the context. */
  memories?: InjectedMemory[];
  /** Of it, what counts against the facts that a context may take. */
  factChars?: number;
  /** It opens a context, or brings it up to date; `isMore`: the rest did not fit. */
  block?: { isMore: boolean } | undefined;
  records?: SessionRecord[];
  decisions?: Decision[];
  isCut?: boolean;
  trouble?: string | undefined;
  afterwards?: () => void;
}

export type EventOutcome = Outcome &
  Required<Pick<Outcome, "memories" | "factChars" | "records" | "decisions" | "isCut">>;

export const NOTHING: Outcome = {};

export const GAP = "\n\n";

export const charsOf = ({ context }: Outcome): number => context?.length ?? 0;

export function joinOutcomes(...outcomes: readonly Outcome[]): EventOutcome {
  const joined = (key: "context" | "notice" | "trouble", gap: string): string | undefined =>
    outcomes.flatMap((one) => one[key] || []).join(gap) || undefined;
  return {
    context: joined("context", GAP),
    notice: joined("notice", "\n"),
    trouble: joined("trouble", "; "),
    decision: outcomes.find(({ decision }) => decision)?.decision,
    sendBack: outcomes.find(({ sendBack }) => sendBack)?.sendBack,
    block: outcomes.find(({ block }) => block)?.block,
    factChars: outcomes.reduce((sum, { factChars = 0 }) => sum + factChars, 0),
    memories: outcomes.flatMap(({ memories = [] }) => memories),
    records: outcomes.flatMap(({ records = [] }) => records),
    decisions: outcomes.flatMap(({ decisions = [] }) => decisions),
    isCut: outcomes.some(({ isCut }) => isCut),
    afterwards: () => {
      for (const { afterwards } of outcomes) afterwards?.();
    },
  };
}

export interface Opening {
  situation: Situation;
  /** The subagent whose context it is; undefined for the session's main one. */
  agent?: string | undefined;
  client: string;
  session: string;
  /** What the user can be asked here; empty for a subagent and a reader, which have no user. */
  questions: readonly Question[];
}

export interface PartRoom {
  budgetChars: number;
  /** What it may take where less would lose something that must be said: all that is left but what is reserved. */
  limitChars: number;
}

export interface ContextPart {
  budgetChars: number;
  /** Characters kept for it, whatever the parts before it want. */
  reservedChars: number;
  render(room: PartRoom): Outcome | undefined;
}

/** One kind of thing that a context is told. A text is told whole or not at all. It defuses what others wrote. */
export type OpeningPart = (opening: Opening) => Promise<ContextPart | Outcome | string | undefined>;

/** How fresh a fact is, as its line says it; `words`: the evidence, empty where the dates say it all. */
export type FactFreshness = Pick<Verdict, "standing" | "words" | "isGone"> &
  Partial<Pick<Verdict, "isAlarm" | "mark" | "signals" | "isCut" | "claims">>;

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
    // Its dates stand beside it: only what they do not say is added.
    const { mark } = verdict;
    return metadata.claims.length > 0 ? verdict : { ...verdict, words: mark === "" ? "" : `check: ${mark}` };
  }

  save(): void {
    this.#checker?.save();
  }
}
