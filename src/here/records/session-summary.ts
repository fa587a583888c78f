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

/** A step of the agent's own plan. */
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
  /** Times of the first and the last record. */
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
  pending: Record<string, PendingCall>;
  /** Turns that no model was shown yet; only where one is set up for it. */
  turns: SaidTurn[];
}

/** An empty digest. */
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
