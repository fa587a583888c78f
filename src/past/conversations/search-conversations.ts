import { missingPassages, openConversations } from "./conversation-index.ts";
import { bestPassagesOf, findConversations, isConversationHere, wordsHeld } from "./find-conversations.ts";
import { readConversations, readTranscripts, timeFor } from "./read-conversations.ts";
import { findMemory } from "../../here/reading/find-memory.ts";
import type { Place } from "../../here/place.ts";
import {
  type PastConversation,
  type Passage,
  listConversations,
  readKept,
  passagesOf,
} from "../../here/records/past-conversations.ts";
import { sessionKey } from "../../here/records/session-state.ts";
import { HeedError, invalidInput } from "../../machine/heed-error.ts";
import { handleOf } from "../../memory/handle.ts";
import { parseQuery, wordsOf } from "../../search/search-query.ts";
import { snippetOf } from "../../search/best-passages.ts";
import { cutShown } from "../../memory/screening/find-secrets.ts";

const DEFAULT_LIMIT = 5;
const DEFAULT_READ_MS = 10_000;
const SHOWN_CHARS = 400;

/** What to look for in past conversations. */
export interface ConversationRequest {
  text?: string | undefined;
  isEverywhere?: boolean | undefined;
  limit?: number | undefined;
  readMs?: number | undefined;
}

/** Which conversation to show. */
export interface ConversationAbout {
  session?: string | undefined;
  memory?: string | undefined;
  from?: number | undefined;
  limit?: number | undefined;
  readMs?: number | undefined;
}

/** A chunk of a conversation: what the user said, the agent's closing message, a command that failed and what worked then, or heed's record. */
export interface ShownPassage {
  kind: "said" | "answer" | "fixed" | "record";
  /** ISO time; empty when the transcript gives none. */
  time: string;
  text: string;
}

/** Where and when a conversation took place. */
export interface ConversationPlace {
  session: string;
  /** The agent, for example `claude-code`. */
  client: string;
  /** Empty where that is not known. */
  repo: string;
  branch: string;
  started: string;
  ended: string;
}

/** A conversation that was found, with the passages that match best. */
export interface FoundConversation extends ConversationPlace {
  passages: ShownPassage[];
}

/** What a search in past conversations gives. */
export interface ConversationAnswer {
  conversations: FoundConversation[];
  /** How many conversations are kept on this machine. */
  count: number;
  /** `history: off`: nothing is kept, and nothing is found. */
  isOff: boolean;
  /**
   * Not all that was said is searched: new transcripts were not read in time (the next search goes on), one could not be
   * read, or a long conversation is not kept whole.
   */
  isPartial: boolean;
  /** Of long conversations, how much is not kept. */
  missing: { passages: number };
  /** Transcripts that could not be read, and why. */
  unread: string[];
}

/** A conversation, or the part that was asked for. */
export interface ShownConversation extends ConversationPlace {
  passages: ShownPassage[];
  /** How many passages it has in all. */
  count: number;
  /** How many of them come before those that are shown. */
  from: number;
  /** Its transcript was not read to the end in time (asked again, it goes on), or is not kept whole. */
  isPartial: boolean;
  missing: { passages: number };
  /** The place in `passages` of the one that a memory came from. */
  at?: number;
}

/** Finds past conversations by words; without words the latest. */
export async function searchConversations(
  place: Place,
  request: ConversationRequest = {},
): Promise<ConversationAnswer> {
  const { text = "", isEverywhere = false, limit = DEFAULT_LIMIT, readMs = DEFAULT_READ_MS } = request;
  const isOff = place.found.history === "off";
  const time = timeFor(readMs);
  const unread = readConversations(place, time);
  const count = listConversations(place.places).length;
  const reader = isOff ? undefined : openConversations(place);
  const admits = isEverywhere ? () => true : isConversationHere(place);
  const missing = { passages: reader ? missingPassages(reader, admits) : 0 };
  const isPartial = time.isOver() || unread.length + missing.passages > 0;
  const ask = { text, syntax: "query", admits } as const;
  const terms = parseQuery(text, "prompt").terms.map(({ term }) => term);
  const conversations = isOff
    ? []
    : text.trim() === ""
      ? latest(place, admits, limit)
      : (reader ? findConversations(place, reader, ask, limit) : []).map(({ past }) =>
          foundOf(past, bestPassagesOf(past, text), terms),
        );
  return { conversations, count, isOff, isPartial, missing, unread };
}

/** Where and when a conversation took place. */
function placeOf({ session, client, repo, conversation }: PastConversation): ConversationPlace {
  const { branch, started, ended } = conversation;
  return { session, client, repo, branch, started, ended };
}

function foundOf(
  past: PastConversation,
  passages: readonly Passage[],
  terms: readonly string[],
): FoundConversation {
  const short = passages.map((one) => ({ ...one, text: snippetOf(one.text, terms, SHOWN_CHARS) }));
  return { ...placeOf(past), passages: short };
}

function latest(
  place: Place,
  admits: (of: { scope: { repo?: string } }) => boolean,
  limit: number,
): FoundConversation[] {
  const found: FoundConversation[] = [];
  for (const { file } of listConversations(place.places)) {
    const past = readKept(file);
    const first = past && passagesOf(past.conversation).find(({ kind }) => kind === "said");
    if (past && first && admits({ scope: past })) found.push(foundOf(past, [first], []));
    if (found.length >= limit) break;
  }
  return found;
}

const DEFAULT_PASSAGES = 40;
const DEFAULT_READ_ON_MS = 2000;
/** Of all passages of an answer together: nobody reads more at once. */
const MAX_SHOWN_CHARS = 60_000;
const BEFORE = 3;

/**
 * Shows a past conversation from its beginning, or the part of it that a memory came from.
 *
 * @throws HeedError `invalid-input` for neither or both; `not-found`, `ambiguous`.
 */
export async function showConversation(place: Place, about: ConversationAbout): Promise<ShownConversation> {
  const { session = "", memory, readMs = DEFAULT_READ_ON_MS } = about;
  if ((session === "") === (memory === undefined))
    throw invalidInput(
      "session",
      session,
      "give a session or a memory, and not both: session is an id of `heed history`",
    );
  const found = memory === undefined ? undefined : await findMemory(place, memory);
  const wanted = found ? found.metadata.origin.session : session.trim();
  if (found && wanted === undefined)
    throw new HeedError(
      "not-found",
      `${handleOf(found.metadata)} has no session on record: it was written outside one`,
      { handle: memory, suggestions: [] },
    );
  const time = timeFor(readMs);
  // A person may give the beginning of an id; a memory has all of it.
  const isAskedFor = (key: string): boolean =>
    found ? key === sessionKey(wanted ?? "") : isMeant(wanted ?? "", key);
  readTranscripts(place, { isAskedFor, isToStop: time.isToStop });
  const past = bySession(place, wanted ?? "", isAskedFor);
  if (!found) return part(past, 0, about, time.isOver());
  const { metadata, body } = found;
  const said = `${metadata.statement}\n${body}`;
  const at = originIn(passagesOf(past.conversation), said, metadata.created ?? "");
  const shown = part(past, Math.max(0, at - BEFORE), about, time.isOver());
  const isShown = at >= shown.from && at < shown.from + shown.passages.length;
  return { ...shown, ...(isShown && { at: at - shown.from }) };
}

/** The passage that says most of what a memory says; of several, and of none, the last one before it was written. */
function originIn(passages: readonly Passage[], text: string, written: string): number {
  const wanted = wordsOf(text);
  const held = passages.map((passage) => {
    // A memory is of the user's words where it can be: an answer only repeats them.
    return wordsHeld(wanted, passage.text) + (passage.kind === "said" ? 0.5 : 0);
  });
  const most = Math.max(...held);
  const isBefore = ({ time }: Passage): boolean => written === "" || time === "" || time <= written;
  const best = passages.findLastIndex((passage, i) => held[i] === most && isBefore(passage));
  return best >= 0 ? best : Math.max(0, held.indexOf(most));
}

function part(
  past: PastConversation,
  start: number,
  { from = start, limit = DEFAULT_PASSAGES }: ConversationAbout,
  isPartial: boolean,
): Omit<ShownConversation, "at"> {
  const passages = passagesOf(past.conversation);
  const { missing = { passages: 0 } } = past.conversation;
  return {
    ...placeOf(past),
    passages: withinChars(passages.slice(from, from + limit)),
    count: passages.length,
    from,
    isPartial: isPartial || missing.passages > 0,
    missing,
  };
}

/** The passages from the first on that fit into an answer; the first always. */
export function withinChars(passages: readonly Passage[]): Passage[] {
  let left = MAX_SHOWN_CHARS;
  const end = passages.findIndex(({ text }, i) => (left -= text.length) < 0 && i > 0);
  return passages.slice(0, end < 0 ? undefined : end);
}

function isMeant(wanted: string, key: string): boolean {
  return key === sessionKey(wanted) || (wanted !== "" && key.startsWith(wanted.toLowerCase()));
}

function bySession(place: Place, session: string, isAskedFor: (key: string) => boolean): PastConversation {
  const meant = listConversations(place.places).filter(({ name }) => isAskedFor(name));
  const exact = meant.filter(({ name }) => name === sessionKey(session));
  const found = exact.length > 0 ? exact : meant;
  const [first] = found;
  const past = first && found.length === 1 ? readKept(first.file) : undefined;
  if (past) return past;
  if (found.length > 1)
    throw new HeedError(
      "ambiguous",
      `${found.length} conversations begin with "${cutShown(session, 80)}": give more of the id`,
      { handle: session, candidates: found.slice(0, 10).map(({ name }) => name) },
    );
  throw new HeedError(
    "not-found",
    `there is no saved session "${cutShown(session, 80)}": \`heed history\` lists the latest`,
    { handle: session, suggestions: [] },
  );
}
