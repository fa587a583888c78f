import type { DoneCall } from "../solutions/track-remarks.ts";
import type { OpenStruggle, PendingCall, Struggle } from "../solutions/struggle.ts";

/** A turn of the person, with what is needed to weigh it. */
export interface UserTurn {
  id: string;
  /** ISO time; empty when the transcript gives none. */
  time: string;
  said: string;
  prose: string;
  /** The end of what the agent had said before. */
  before: string;
  /** What the agent itself wrote into a memory after this turn, until the next one. */
  written: string[];
}

/** A command and how it ended. */
export interface CommandRun {
  command: string;
  outcome: "ok" | "failed" | "refused";
  times: number;
}

/** A step of the agent's own plan. */
export interface PlanStep {
  text: string;
  isDone: boolean;
}

/**
 * What a session comes to, kept between runs as plain data: bounded in every part, so that a session of any length
 * takes the same room.
 */
export interface SessionDigest {
  version: 1;
  client: string;
  cwd: string;
  branch: string;
  /** The transcript is a subagent's: nothing in it is the person's word. */
  isSubagent: boolean;
  /** Times of the first and the last record. */
  started: string;
  ended: string;
  goal: string;
  asks: string[];
  files: Record<string, number>;
  commands: CommandRun[];
  errors: string[];
  decisions: string[];
  commits: string[];
  plan: PlanStep[];
  lastMessage: string;
  sentences: string[];
  /** What was captured or proposed from this session, one line each. */
  notes: string[];
  counts: { turns: number; calls: number; failures: number; compactions: number };
  /** Ids of messages and calls that were seen, so that one written twice counts once. */
  seen: string[];
  pending: Record<string, PendingCall>;
  open: OpenStruggle[];
  /** The last calls that ended well, as long as no file was changed. */
  done: DoneCall[];
  /** Struggles that were won and not yet taken. */
  won: Struggle[];
  /** Turns not yet taken. */
  turns: UserTurn[];
}

/** A digest of nothing. */
export function emptyDigest(): SessionDigest {
  return {
    version: 1,
    client: "",
    cwd: "",
    branch: "",
    isSubagent: false,
    started: "",
    ended: "",
    goal: "",
    asks: [],
    files: {},
    commands: [],
    errors: [],
    decisions: [],
    commits: [],
    plan: [],
    lastMessage: "",
    sentences: [],
    notes: [],
    counts: { turns: 0, calls: 0, failures: 0, compactions: 0 },
    seen: [],
    pending: {},
    open: [],
    done: [],
    won: [],
    turns: [],
  };
}

/** A digest as it was kept; a new one when what was kept is none (another version, a damaged file). */
export function readDigest(value: unknown): SessionDigest {
  const empty = emptyDigest();
  const record = value as Partial<SessionDigest> | null | undefined;
  if (typeof record !== "object" || record === null || record.version !== 1) return empty;
  const isSameShape = (Object.keys(empty) as (keyof SessionDigest)[]).every(
    (key) =>
      typeof record[key] === typeof empty[key] && Array.isArray(record[key]) === Array.isArray(empty[key]),
  );
  return isSameShape ? (record as SessionDigest) : empty;
}
