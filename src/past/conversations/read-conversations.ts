import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { refreshConversations } from "./conversation-index.ts";
import type { Place } from "../../here/place.ts";
import { logTrouble } from "../../here/trouble-log.ts";
import {
  type Passage,
  type PastConversation,
  dateConversation,
  emptyRecord,
  emptyWork,
  listConversations,
  pruneConversations,
  readConversation,
  withoutWords,
  writeConversation,
} from "../../here/records/past-conversations.ts";
import { readSession, recordSession, sessionKey } from "../../here/records/session-state.ts";
import { findTranscripts } from "../transcripts/find-transcripts.ts";
import { type IsToStop, readSessionOn, splitDatabasePath } from "../transcripts/read-session.ts";
import { foldEvent } from "../capture/fold-event.ts";
import { isAsked, workedIn, oneLine } from "../capture/tool-calls.ts";
import { folderScope } from "../../machine/repository-identity.ts";

const MAX_TRANSCRIPTS = 3000;

interface ReadingOfTranscripts {
  /** Only those of these sessions, by {@link sessionKey}; default: all. */
  isAskedFor?: (key: string) => boolean;
  isToStop?: IsToStop;
}

/** A time to read in: when it is over, and whether it was too short for what there was to read. */
export function timeFor(readMs: number): { isToStop: IsToStop; isOver: () => boolean } {
  const until = performance.now() + readMs;
  let isOver = false;
  return { isToStop: () => (isOver ||= performance.now() > until), isOver: () => isOver };
}

/** {@link readTranscripts}, and brings the index of past conversations up to date with what is kept then. */
export function readConversations(place: Place, options: ReadingOfTranscripts = {}): string[] {
  const unread = readTranscripts(place, options);
  refreshConversations(place);
  return unread;
}

/** Brings what is kept up to date with the transcripts on this machine; returns what could not be read, and why. */
export function readTranscripts(place: Place, { isAskedFor, isToStop }: ReadingOfTranscripts): string[] {
  const { places } = place;
  const unread: string[] = [];
  const isWanted = place.found.history !== "off";
  const readUntil = new Map(listConversations(places).map(({ name, mtimeMs }) => [name, mtimeMs]));
  const found = isWanted ? findTranscripts(place.env).slice(0, MAX_TRANSCRIPTS) : [];
  for (const { file, session, mtimeMs } of found) {
    if (isToStop?.() === true) break;
    const key = sessionKey(session);
    // What is kept has the time of the transcript as it was read: the same one needs no look into either.
    if (isAskedFor?.(key) === false || Math.abs((readUntil.get(key) ?? 0) - mtimeMs) < 2) continue;
    try {
      readTranscript(place, { file, session }, { isToStop });
    } catch (error) {
      logTrouble(`history of ${session}`, error, place.env);
      unread.push(error instanceof Error ? error.message : String(error));
    }
  }
  pruneConversations(places, isWanted);
  return unread;
}

interface NamedTranscript {
  file: string;
  session: string;
  /** Where the session was, for clients whose transcripts do not say it. */
  cwd?: string;
}

/** Reads a transcript on into the record of its session. `withWork`: for its episode, too, if need be from the beginning. */
export function readTranscript(
  place: Place,
  { file: transcript, session, cwd = "" }: NamedTranscript,
  { isToStop, withWork = false }: { isToStop?: IsToStop | undefined; withWork?: boolean },
): PastConversation {
  const { places } = place;
  let past = readConversation(places, session);
  if (withWork && !past.work) {
    const records = past.conversation.passages.filter(({ kind }) => kind === "record");
    past = { ...emptyRecord(session), repo: past.repo, work: emptyWork() };
    past.conversation.passages = records;
  }
  const { conversation, work } = past;
  const isPlaceNew = past.repo === "" && isAbsolute(cwd);
  const stats = statSync(splitDatabasePath(transcript)?.file ?? transcript);
  // Only whole lines count as read: a file that ends in half of one is looked at again.
  const isRead = past.offsets[transcript] === stats.size && !isPlaceNew;
  if (isRead) {
    dateConversation(places, session, stats.mtime);
    return past;
  }
  const struggles: Passage[] = [];
  const onEvent: Parameters<typeof readSessionOn>[2] = (event, agent) => {
    const fixed = foldEvent(past, event, agent);
    if (fixed && isAsked(fixed)) struggles.push(fixed);
  };
  const bytes = readSessionOn(past, transcript, onEvent, isToStop);
  if (bytes === 0 && !isPlaceNew) return past;
  if (work && bytes > 0) Object.assign(work, { isDirty: true, isInjected: false });
  conversation.cwd ||= cwd;
  if (work) work.cwd ||= cwd;
  if (past.repo === "" && isAbsolute(conversation.cwd)) past.repo = repositoryOf(place, conversation.cwd);
  if (place.found.history === "off") past = withoutWords(past);
  // Not read to its end it keeps a time of its own, and is gone on with.
  const isWhole = isToStop?.() !== true;
  writeConversation(places, past, isWhole ? stats.mtime : new Date(stats.mtimeMs - 1000));
  noteStruggles(place, session, struggles);
  return past;
}

/** Leaves the last struggle to the next prompt of a session that heed's hooks know. */
function noteStruggles({ places }: Place, session: string, struggles: readonly Passage[]): void {
  const last = struggles.at(-1);
  const trail = last ? readSession(places, session).trail : [];
  if (!last || trail.length === 0) return;
  const isKnown = trail.some(({ kind, time }) => kind === "struggled" && time === last.time);
  const [text, failed] = [workedIn(last.text), last.failed ?? ""].map((one) => oneLine(one, 120));
  if (!isKnown) recordSession(places, session, [{ kind: "struggled", time: last.time, text: text!, failed }]);
}

/** A folder that is gone is still a place of its own. */
function repositoryOf(place: Place, cwd: string): string {
  return place.at(cwd).repository?.name ?? folderScope(cwd);
}
