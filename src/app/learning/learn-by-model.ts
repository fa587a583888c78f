import type { UserTurn } from "../../capture/digest/session-digest.ts";
import { cutShown } from "../../screening/cut-shown.ts";
import { localDay } from "../../memory/calendar-day.ts";
import { textOfStatement } from "../../memory/codec/quotation.ts";
import { handleOf, plainHandle } from "../../memory/handle.ts";
import type { MemoryDraft } from "../../memory/memory-draft.ts";
import type { ProposalReport } from "../api/learning-reports.ts";
import { openCollection } from "../place/collection.ts";
import type { FoundMemory } from "../place/find-memory.ts";
import { findMemory } from "../place/find-memory.ts";
import type { HeardTurn, KnownMemory, LearntItem } from "../place/learner-source.ts";
import type { Place } from "../place/place.ts";
import { draftOf } from "../../memory/memory-draft.ts";
import type { IsToStop } from "../transcripts/read-session.ts";
import type { ProposeOptions } from "./enter-proposal.ts";
import { enterProposal } from "./enter-proposal.ts";
import type { SessionProgress } from "./session-progress.ts";

/** A session that goes on is read after so many turns. */
const TURNS = 20;
/** So many turns are kept for it, and sent, at most. */
const MAX_TURNS = 40;
const MAX_KNOWN = 80;
/** How often is looked whether somebody needs the machine while a model is asked. */
const LOOK_EVERY_MS = 200;
const MAX_SAID_CHARS = 2000;
const MAX_BEFORE_CHARS = 300;
const TYPES = new Set(["feedback", "user", "project", "reference"]);

/**
 * Where the user set up a model for it: takes down what they said, and once the session has ended or twenty turns came has
 * the model say what of it is worth keeping, in one call. What it says goes into the inbox as far as its quotes are the
 * user's own words; nothing of it is in force unasked.
 */
export async function learnByModel(
  place: Place,
  progress: SessionProgress,
  fresh: readonly UserTurn[],
  options: ProposeOptions & { isOver: boolean; isToStop: IsToStop },
): Promise<ProposalReport[]> {
  const learner = await place.workspace.optional.learner?.();
  if (!learner) return [];
  progress.heard.push(
    ...fresh.map(({ time, said, before }) => ({
      time,
      said: said.slice(0, MAX_SAID_CHARS),
      before: before.slice(-MAX_BEFORE_CHARS),
    })),
  );
  progress.heard.splice(0, Math.max(0, progress.heard.length - MAX_TURNS));
  const isDue = progress.heard.length > 0 && (options.isOver || progress.heard.length >= TURNS);
  if (!isDue) return [];
  const turns = [...progress.heard];
  const known = await knownHere(place);
  const { session, isToStop } = options;
  const items = await untilStopped(isToStop, (signal) => learner.learn({ session, turns, known, signal }));
  // No budget, no answer, or somebody needs the machine: they are asked about another time.
  if (items === undefined) return [];
  progress.heard.splice(0);
  const reports: ProposalReport[] = [];
  for (const item of items) {
    const report = await propose(place, item, turns, known, options);
    if (report) reports.push(report);
  }
  return reports;
}

/** Ends a call when somebody needs the machine. */
async function untilStopped<T>(
  isToStop: IsToStop,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  if (isToStop()) return undefined;
  const controller = new AbortController();
  const timer = setInterval(() => {
    if (isToStop()) controller.abort();
  }, LOOK_EVERY_MS);
  try {
    return await call(controller.signal);
  } finally {
    clearInterval(timer);
  }
}

/** What holds here, the newest first: a model must not propose it again. */
async function knownHere(place: Place): Promise<KnownMemory[]> {
  const collection = await openCollection(place, { thoroughness: "full" });
  const here = place.here();
  return collection
    .cards([...TYPES])
    .filter((card) => collection.storeOf(card).isTrusted && card.flags === undefined)
    .filter(({ scope }) => scope.repo === undefined || here.isRepositoryHere(scope.repo))
    .toSorted((a, b) => ((a.updated ?? a.created ?? "") < (b.updated ?? b.created ?? "") ? 1 : -1))
    .slice(0, MAX_KNOWN)
    .map((card) => ({ handle: handleOf(card), type: card.type, description: card.description }));
}

/** Puts an item into the inbox; undefined for one whose quote nobody said, or whose type is none. */
async function propose(
  place: Place,
  item: LearntItem,
  turns: readonly HeardTurn[],
  known: readonly KnownMemory[],
  options: ProposeOptions,
): Promise<ProposalReport | undefined> {
  const quote = plain(item.quote);
  const turn = quote.length < 4 ? undefined : turns.find(({ said }) => plain(said).includes(quote));
  if (!turn || !TYPES.has(item.type) || item.statement === "" || item.statement.length > 300)
    return undefined;
  // A reason is the user's or none.
  const reason =
    item.reason !== undefined && plain(turn.said).includes(plain(item.reason)) ? item.reason : undefined;
  const time = turn.time;
  const day = localDay(Number.isNaN(Date.parse(time)) ? place.now() : new Date(time));
  const body = textOfStatement({ text: item.statement, quote: item.quote, reason, day });
  const changed = known.find(({ handle }) => plainHandle(handle) === plainHandle(item.changes ?? ""));
  const current = changed && (await amendable(place, changed.handle));
  const draft: MemoryDraft = current
    ? {
        ...draftOf({ ...current.card, body: current.body }),
        description: item.statement,
        body: `${body}\n\nBefore: ${current.card.description}`,
        relation: { kind: "replaces", to: current.card.name },
      }
    : { type: item.type, description: item.statement, body, source: "instructed", status: "provisional" };
  return enterProposal(place, draft, {
    time,
    quote: item.quote,
    waitsFor: `you said: "${cutShown(item.quote, 100)}"`,
    isConfirmed: false,
    // Its quote is theirs: likeness to a memory does not lose it.
    outright: "read",
    options,
    ...(current && { current, about: `changes heed:${current.card.name}` }),
  });
}

async function amendable(place: Place, handle: string): Promise<FoundMemory | undefined> {
  try {
    const found = await findMemory(place, plainHandle(handle));
    return found.store.isReadOnly || found.card.section !== undefined ? undefined : found;
  } catch {
    return undefined;
  }
}

function plain(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
