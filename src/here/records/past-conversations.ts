import { rmSync, utimesSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import { sessionKey } from "./session-state.ts";
import { FORMATS, readVersioned, writeVersioned } from "../../machine/state-file.ts";
import type { Places } from "../../machine/places.ts";
import { type DatedFile, newestFiles, pruneFiles } from "../../machine/atomic-file.ts";
import { statIfThere } from "../../machine/regular-file.ts";

export interface PastConversation {
  session: string;
  /** The agent, once the transcript tells. */
  client: string;
  /** Where it took place, as scopes name it; empty where that is not known. */
  repo: string;
  /** Bytes read of each file of the session, by its path. */
  offsets: Record<string, number>;
  conversation: Conversation;
  /** What was done in it; only of a session that heed's hooks know, for its episode. */
  work?: SessionWork;
}

/** The work of one session, as plain data, bounded in every part. */
export interface SessionWork {
  cwd: string;
  /** How often each file was edited, by its path. */
  files: Record<string, number>;
  commands: { command: string; outcome: "ok" | "failed" | "refused"; times: number }[];
  commits: string[];
  plan: PlanStep[];
  /** Turns that no model was shown yet; only where one is set up for it. */
  turns: SaidTurn[];
  /** When the episode was written last, ISO; empty: never. */
  episodeAt: string;
  isDirty: boolean;
  /** A later session was told what this one left open. */
  isInjected: boolean;
}

export interface PlanStep {
  text: string;
  isDone: boolean;
}

export interface SaidTurn {
  /** ISO time; empty when the transcript gives none. */
  time: string;
  said: string;
  /** The end of the agent's message before it. */
  before: string;
}

export function emptyWork(): SessionWork {
  const done = { cwd: "", files: {}, commands: [], commits: [], plan: [], turns: [] };
  return { ...done, episodeAt: "", isDirty: false, isInjected: false };
}

/** The files that a session edited in its folder, by their path there. */
export function filesInside({ files, cwd }: SessionWork): string[] {
  return Object.keys(files)
    .map((file) => (isAbsolute(file) ? relative(cwd, file) : file))
    .filter((file) => !isAbsolute(file) && !file.startsWith(".."));
}

/**
 * What the agent's plan has left. A command that failed last is no open work: a guard may have stopped it, or another
 * spelling of it passed, here or in the next session.
 */
export function openSteps({ plan }: SessionWork): string[] {
  return plan.filter(({ isDone }) => !isDone).map(({ text }) => text);
}

/** The repository of a record that holds in all of them. */
export const EVERYWHERE = "*";

const KEPT = { files: 5000, bytes: 32 * 1024 * 1024 };

export function conversationsFolder(places: Places): string {
  return join(places.state, "conversations");
}

/** Reads what is kept of a session's conversation; an empty one when there is nothing, or it is damaged. */
export function readConversation(places: Places, session: string): PastConversation {
  return readKept(fileOf(places, session)) ?? emptyRecord(session);
}

export function emptyRecord(session: string): PastConversation {
  return { session, client: "", repo: "", offsets: {}, conversation: emptyConversation() };
}

export function readKept(file: string): PastConversation | undefined {
  const kept = readVersioned(file, FORMATS.conversation) as Partial<PastConversation> | undefined;
  return kept?.conversation?.passages && kept.offsets ? (kept as PastConversation) : undefined;
}

/** Keeps a conversation. The file has the time of its last word (default: as before), so that the oldest go first. */
export function writeConversation(places: Places, past: PastConversation, lastWord?: Date): void {
  const file = fileOf(places, past.session);
  const time = lastWord ?? statIfThere(file)?.mtime;
  writeVersioned(file, FORMATS.conversation, past, { isDurable: false });
  if (time) utimesSync(file, time, time);
}

/** Notes that what is kept of a session holds all of its transcript as it was at a time. */
export function dateConversation(places: Places, session: string, lastWord: Date): void {
  utimesSync(fileOf(places, session), lastWord, lastWord);
}

export function listConversations(places: Places): DatedFile[] {
  return newestFiles(conversationsFolder(places), ".json");
}

/** Removes the oldest conversations beyond what is kept. Where the user wants no history, what was said in any goes. */
export function pruneConversations(places: Places, isWanted: boolean): void {
  pruneFiles(listConversations(places), KEPT);
  for (const { file } of isWanted ? [] : listConversations(places)) {
    const past = readKept(file);
    if (!past?.work) rmSync(file, { force: true });
    else if (past.conversation.passages.length > 0) writeConversation(places, withoutWords(past));
  }
}

export function withoutWords(past: PastConversation): PastConversation {
  const seen = past.conversation.seen.filter((one) => !one.startsWith("said:"));
  return { ...past, conversation: { ...past.conversation, passages: [], seen } };
}

function fileOf(places: Places, session: string): string {
  return join(conversationsFolder(places), `${sessionKey(session)}.json`);
}

/** The user's words, an agent's closing message, a command that was fixed, or an old session record. */
export type PassageKind = "said" | "answer" | "fixed" | "record";

/** A chunk of a past conversation that makes sense alone, without secrets. */
export interface Passage {
  kind: PassageKind;
  /** ISO time; empty when the transcript gives none. */
  time: string;
  text: string;
  /** How often it had failed, where it was fixed. */
  failures?: number;
  failed?: string;
}

/** Whether a passage only asks: then what tells comes before it. */
export function isQuestion({ kind, text }: Passage): boolean {
  return kind === "said" && text.trimEnd().endsWith("?");
}

export interface FailedCommand {
  programs: string[];
  /** One line each: the command and the last line of its output. */
  tries: string[];
  failed: string;
  failures: number;
  size: number;
  age: number;
  /** What was changed since: files, and commands that were run. */
  changes: string[];
}

export interface PendingCommand {
  /** One line, cut. */
  what: string;
  /** Characters of the whole: two scripts may begin alike. */
  size: number;
  /** Those of a command line, or the tool; none for what reads and edits files. */
  programs: string[];
  isCommand?: boolean;
}

/** What is kept of one conversation, as plain data, bounded in every part. */
export interface Conversation {
  cwd: string;
  branch: string;
  /** ISO times of the first and the last record. */
  started: string;
  ended: string;
  /** The transcript is a subagent's: nothing in it is the person's word. */
  isSubagent: boolean;
  passages: Passage[];
  /** The agent's last message, which closes the turn unless another follows. */
  closing: Passage | undefined;
  /** Ids of messages and calls, and beginnings of turns, so that one written twice counts once. */
  seen: string[];
  /** When the user last followed a record, by its id: what follows the same one again takes back what came since. */
  followed?: Record<string, string>;
  /** Passages, the oldest, and bytes of the transcript that are not kept. */
  missing?: { passages: number };
  pending: Record<string, PendingCommand>;
  open: FailedCommand[];
}

export function emptyConversation(): Conversation {
  return {
    cwd: "",
    branch: "",
    started: "",
    ended: "",
    isSubagent: false,
    passages: [],
    closing: undefined,
    seen: [],
    pending: {},
    open: [],
  };
}

export function passagesOf({ passages, closing }: Conversation): Passage[] {
  return closing === undefined ? passages : [...passages, closing];
}
