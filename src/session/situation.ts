import type { Question } from "../here/api/inbox.ts";
import type { Decision, EventAnswer } from "../here/api/session-events.ts";
import { type Collection, openCollection, supersederOf } from "../here/collection.ts";
import type { Place } from "../here/place.ts";
import { modeHere } from "../here/user-config.ts";
import {
  type InjectedMemory,
  type SessionRecord,
  type SessionState,
  injectedAs,
} from "../here/records/session-state.ts";
import { withApprovals } from "../here/trust/rule-approvals.ts";
import { admissionAt } from "../here/trust/standing.ts";
import { wordsStamp } from "../here/trust/user-words.ts";
import type { ContextPart } from "./inject/context-parts.ts";
import type { Candidate } from "./inject/select-facts.ts";
import { type Admission, whyNotAdmitted } from "../here/trust/admission.ts";
import { handleOf } from "../memory/handle.ts";
import { type MemoryMetadata, type StoreRef } from "../memory/memory.ts";
import { takesForce } from "../memory/memory-type.ts";
import { redactSecrets } from "../memory/screening/find-secrets.ts";
import { type Mode, stateOfStore } from "../store/config/store-config.ts";
import { Approvals } from "../store/trust/approvals.ts";
import { findProjectRoot } from "../store/find-stores.ts";

/** Where an event happens and what is known there, as far as facts need it. */
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

/** The same, in which what takes force stands as it was approved: what every other answer is made from. */
export interface Situation extends FactSituation {
  /** Rules of the project store that others changed or added since it was approved, by memoryKey. */
  unreviewed: ReadonlyMap<string, "changed" | "new">;
}

/** The mode that holds: the session's own, else `HEED_MODE`, else what the stores' configurations say. */
export function modeOf(session: SessionState, place: Place): Mode {
  return modeHere(place, session.mode);
}

/** Looks around: opens the collection (of `stores` alone, where given) within the time given and learns what place this is. */
export async function lookAround(
  place: Place,
  session: SessionState,
  mode: Mode,
  deadlineMs: number,
  stores?: StoreRef[],
): Promise<Situation> {
  const collection = await openCollection(place, { deadlineMs, ...(stores && { stores }) });
  return reviewed(situationOf(place, session, mode, collection));
}

/**
 * Looks around for what tells facts alone. Rules and guards are not held against what was approved, which takes longer
 * than the search, unless a fact carries a guard. Whoever tells of a rule asks for {@link reviewed}.
 */
export async function lookForFacts(
  place: Place,
  session: SessionState,
  mode: Mode,
  deadlineMs: number,
): Promise<FactSituation> {
  const collection = await openCollection(place, { deadlineMs });
  const situation = situationOf(place, session, mode, collection);
  const isFact = ({ type }: MemoryMetadata): boolean => !takesForce({ type }, collection.types);
  return collection.memoriesWith("guard").some(isFact) ? reviewed(situation) : situation;
}

/** The situation with its rules and guards as they were approved on this machine. */
export async function reviewed(situation: FactSituation): Promise<Situation> {
  if (isReviewed(situation)) return situation;
  const { place, session, mode } = situation;
  const { collection, unreviewed } = await withApprovals(place, situation.collection, session.noticed);
  return { ...situationOf(place, session, mode, collection), unreviewed };
}

function isReviewed(situation: FactSituation): situation is Situation {
  return "unreviewed" in situation;
}

function situationOf(place: Place, session: SessionState, mode: Mode, collection: Collection): FactSituation {
  const root = findProjectRoot(place.cwd) ?? place.cwd;
  const admission = admissionAt(place, collection);
  return { place, root, collection, admission, session, mode };
}

/** Why a memory does not hold in a situation, in words; undefined when it does. */
export function whyNotHere(
  metadata: MemoryMetadata,
  situation: FactSituation,
  options: { evenIfEnded?: boolean } = {},
): string | undefined {
  return whyNotAdmitted(metadata, situation.admission, options);
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

/**
 * The text of a memory as a session may be told it: a hand edit passes no gate, and what is cut into passages or lines
 * may tear a secret apart, so that nobody knows it any more.
 */
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
    ...(agent !== undefined && { agent }),
    signature: signatureOf(situation),
    isWhole,
  };
}

/**
 * A text that differs when what is in force here may have changed: another generation of an index, an approval, a word of
 * the user's on another tool's memory, another name of the repository, another branch, another day. Empty, so that it
 * equals none, where files were read without an index.
 */
export function signatureOf({ collection, place }: FactSituation): string {
  if (collection.source !== "index" || collection.isCut) return "";
  const stores = collection.stores.map(({ id, root, isTrusted }, i) => {
    const approved = Approvals.stampOf(stateOfStore(place.places, root));
    return `${id}@${collection.readers[i]?.generation ?? ""} ${isTrusted} ${approved}`;
  });
  const names = place.repository?.aliases ?? [];
  const day = place.now().toISOString().slice(0, 10);
  return [...stores, wordsStamp(place.places), ...names, place.here().branch ?? "", day].join(" ");
}

/** A fresh context that is about to be filled. */
export interface Opening {
  situation: Situation;
  /** The subagent whose context it is; undefined for the session's main one. */
  agent: string | undefined;
  /** The client, for example `claude-code`. */
  client: string;
  /** The client's session id; empty for a reader that has none. */
  session: string;
  /** What the user can be asked here; empty for a subagent and a reader, which have no user. */
  questions: readonly Question[];
  /** What is broken here, in words; empty but for a session's start. */
  broken: string;
}

/** What a part told, for the session's log and the receipt. */
export interface PartInjected {
  decisions: Decision[];
  memories: InjectedMemory[];
  /** Further records of the session's log. */
  records?: SessionRecord[];
  /** What is noted once it was told. */
  afterwards?: () => void;
}

/**
 * One kind of thing that a fresh context is told: looks up what there is, and says how much room it takes. Undefined
 * where it has nothing to say. It must render no more than the limit that it is given, and defuse what others wrote.
 */
export type OpeningPart = (opening: Opening) => Promise<ContextPart<PartInjected> | undefined>;

/** What an event leads to: the answer, what the session remembers of it, and the decisions for the receipt. */
export interface EventOutcome {
  answer: EventAnswer;
  records: SessionRecord[];
  decisions: Decision[];
  /** The deadline cut the work. */
  isCut: boolean;
  /** What could not be decided, for the log. */
  trouble?: string;
  /** What is left to do once the answer is out. */
  afterwards?: () => void;
}

/** Nothing to tell, nothing to remember. */
export const NOTHING: EventOutcome = { answer: {}, records: [], decisions: [], isCut: false };

/**
 * Tells none of the memories that another one says it supersedes: an old and a new wording match a prompt alike. Only links
 * say so; words do not.
 */
export function withoutSuperseded(candidates: readonly Candidate[], situation: FactSituation): Candidate[] {
  return candidates.map((candidate): Candidate => {
    const newer =
      candidate.form === "none" ? undefined : supersederOf(candidate.metadata, situation.collection);
    return newer === undefined
      ? candidate
      : { ...candidate, form: "none", reason: `superseded by ${handleOf(newer)}` };
  });
}
