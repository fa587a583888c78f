import type { ToolDecision } from "./session-events.ts";

/** A guard that some memory carries. */
export interface GuardReport {
  /** The memory's handle, and the guard's place in it, from 1. */
  handle: string;
  number: number;
  /** In one line: `deny git commit with --no-verify`. */
  summary: string;
  action: "deny" | "ask" | "warn";
  isInForce: boolean;
  /** Why it does nothing here. */
  whyNot?: string;
}

/** The guards of the stores that hold here. */
export interface GuardList {
  guards: GuardReport[];
  /** Guards that cannot be read, which do nothing. */
  problems: { handle: string; message: string; remedy: string }[];
}

/** A tool use to try. */
export interface TriedCall {
  /** Default `Bash`. */
  tool?: string;
  input: Record<string, unknown>;
}

/** A program that is about to start in a session's shell. */
export interface ProgramStart {
  session: string;
  /** Its name and arguments. */
  words: string[];
  cwd: string;
  env: Record<string, string | undefined>;
  /** The first word behind git's own options is none of git's commands. */
  isAlias: boolean;
}

/** One guard asked of one command or call. */
export interface TriedStep {
  handle: string;
  number: number;
  summary: string;
  /** The command, pipeline or input that it was asked about. */
  text: string;
  /** What the guard says of it; the word of the glossary is about freshness, the key is kept. */
  verdict: "fires" | "no" | "excepted";
  /** The part of its condition that does not hold, or its exception that does, in words. */
  by?: string;
}

/** What would come of a tool use, and why. */
export interface GuardTrial {
  action: "allow" | "deny" | "ask" | "warn";
  /** What the model would be told. */
  reason?: ToolDecision["reason"];
  /** The guards that are about such a tool and program, as they were asked. */
  steps: TriedStep[];
}

/** How much of the past is looked at. */
export interface PastRequest {
  /** How far back, in days. Default 30, as long as clients keep transcripts. */
  days?: number | undefined;
  /** How long it may take, in milliseconds; the newest sessions come first. Default 10,000. */
  withinMs?: number | undefined;
}

/** How much of the past was read. */
export interface PastRead {
  days: number;
  /** ISO time from which on. */
  since: string;
  /** Sessions whose transcripts were read, and those for which the time did not suffice. */
  sessions: number;
  sessionsLeft: number;
}

/** What a guard would have done to the tool calls of the past. */
export interface GuardReplay extends PastRead {
  /** In a sentence, as a dialog shows it. */
  summary: string;
  /** Calls of the tools that it is about, made where its rule holds. */
  calls: number;
  /** Of these: denied or asked about; of those the ones that had succeeded. */
  stopped: number;
  succeeded: number;
  /** Calls that it would have let run with a warning. */
  warned: number;
  /** The newest calls on which it would have fired, five at most. */
  examples: {
    /** ISO time; empty where the transcript has none. */
    time: string;
    session: string;
    client: string;
    action: "deny" | "ask" | "warn";
    /** On what it would have fired, without secrets. */
    text: string;
    /** How the call ended; absent: the transcript does not say. */
    outcome?: "ok" | "failed" | "refused";
  }[];
}

/**
 * What became of a rule in a session. `injected`: it entered its context. `stopped`: its guard stopped a call. `excepted`:
 * such a call passed, as the user allowed. `cited`: the model named it in an answer.
 */
export type RuleOutcome = "injected" | "stopped" | "excepted" | "cited";

/** How often something became of a rule, and what shows it. */
export interface RuleCount {
  sessions: number;
  times: number;
  /** The newest, ten at most; `text`: the call. */
  evidence: { session: string; time: string; text: string }[];
}

/** A rule that holds here, and what became of it. Only what is certain is counted. */
export interface RuleRecord extends Record<RuleOutcome, RuleCount> {
  handle: string;
  name: string;
  description: string;
  /** It has a guard that is in force here. */
  isGuarded: boolean;
}

/** The rules that hold here, those that stopped most first. */
export interface RuleRecords {
  days: number;
  /** ISO time from which on. */
  since: string;
  rules: RuleRecord[];
}
