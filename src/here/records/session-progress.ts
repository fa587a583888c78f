import { join } from "node:path";
import { sessionKey } from "./session-state.ts";
import { type Places, capturePlaces } from "../../machine/places.ts";
import { FORMATS, newerAt, newerFile, readVersioned, writeVersioned } from "../../machine/state-file.ts";
import { newestFiles, pruneFiles } from "../../machine/atomic-file.ts";

export interface SessionProgress {
  session: string;
  /** Bytes read of each file of the session, by its path. */
  offsets: Record<string, number>;
  /** The agent whose transcript it is, once it is told. */
  format: string;
  digest: SessionSummary;
  /** When the episode was written last, ISO; empty: never. */
  episodeAt: string;
  isDirty: boolean;
  /** A later session was told what this one left open. */
  isInjected: boolean;
}

/** Progress is kept as long as the clients keep their transcripts. */
const KEPT_DAYS = 30;
const KEPT_SESSIONS = 500;

/** Reads a session's progress; a new one when there is none or it is damaged. @throws HeedError `io-failed` for a newer heed's. */
export function readProgress(places: Places, session: string): SessionProgress {
  const file = fileOf(places, session);
  const kept = readVersioned(file, FORMATS.captureProgress);
  const newer = newerAt(file);
  if (newer) throw newerFile(newer);
  const empty = { offsets: {}, format: "", digest: emptySummary(), episodeAt: "", isDirty: false };
  // A former word of the same.
  const { isTold = false, ...rest } = (kept ?? {}) as Partial<SessionProgress> & { isTold?: boolean };
  if (!hasShape(rest, empty)) return { ...empty, isInjected: isTold, session };
  // Of another version or damaged, the summary is made again from the beginning; what became of the session stays.
  const isRead = rest.digest?.version === empty.digest.version && hasShape(rest.digest, empty.digest);
  const { offsets, format, digest } = empty;
  return { ...empty, isInjected: isTold, ...rest, ...(isRead ? {} : { offsets, format, digest }), session };
}

function hasShape(value: object, like: object): boolean {
  const fields = value as Record<string, unknown>;
  return Object.entries(like).every(([key, one]: [string, unknown]) => {
    const field = fields[key];
    return field !== null && typeof field === typeof one && Array.isArray(field) === Array.isArray(one);
  });
}

/** Keeps a session's progress. What it covers may be read again after a crash: whoever captures sees to duplicates. */
export function writeProgress(places: Places, progress: SessionProgress): void {
  writeVersioned(fileOf(places, progress.session), FORMATS.captureProgress, progress, { isDurable: false });
}

export function listProgress(places: Places): { session: string; mtimeMs: number }[] {
  return newestFiles(capturePlaces(places).sessions, ".json").map(({ name, mtimeMs }) => ({
    session: name,
    mtimeMs,
  }));
}

export function pruneProgress(places: Places, now: Date): void {
  const files = newestFiles(capturePlaces(places).sessions, ".json");
  pruneFiles(files, { oldestMs: now.getTime() - KEPT_DAYS * 86_400_000, files: KEPT_SESSIONS });
}

function fileOf(places: Places, session: string): string {
  return join(capturePlaces(places).sessions, `${sessionKey(session)}.json`);
}

/** What the user typed in one turn, with what is needed to understand it. */
export interface SaidTurn {
  /** ISO time; empty when the transcript gives none. */
  time: string;
  said: string;
  /** The end of the agent's message before it. */
  before: string;
}

interface CommandRun {
  command: string;
  outcome: "ok" | "failed" | "refused";
  times: number;
}

interface PendingCall {
  /** The command line, or the input as one line. */
  what: string;
  programs: string[];
  isLook: boolean;
}

export interface PlanStep {
  text: string;
  isDone: boolean;
}

/** The record of a session as plain data, bounded in every part; nothing in it is interpreted. */
export interface SessionSummary {
  version: 2;
  client: string;
  cwd: string;
  branch: string;
  /** The transcript is a subagent's: nothing in it is the user's word. */
  isSubagent: boolean;
  started: string;
  ended: string;
  files: Record<string, number>;
  commands: CommandRun[];
  commits: string[];
  plan: PlanStep[];
  lastMessage: string;
  counts: { turns: number; calls: number; failures: number; compactions: number };
  /** Ids of messages and calls that were seen, so that one written twice counts once. */
  seen: string[];
  /** As of a conversation. */
  followed?: Record<string, string>;
  pending: Record<string, PendingCall>;
  /** Turns that no model was shown yet; only where one is set up for it. */
  turns: SaidTurn[];
}

export function emptySummary(): SessionSummary {
  return {
    version: 2,
    client: "",
    cwd: "",
    branch: "",
    isSubagent: false,
    started: "",
    ended: "",
    files: {},
    commands: [],
    commits: [],
    plan: [],
    lastMessage: "",
    counts: { turns: 0, calls: 0, failures: 0, compactions: 0 },
    seen: [],
    pending: {},
    turns: [],
  };
}
