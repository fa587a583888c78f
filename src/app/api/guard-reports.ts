import type { ToolDecision } from "./session-events.ts";

/** Which guard. */
export interface GuardPlace {
  /** The memory's handle, and the guard's place in it, from 1. */
  handle: string;
  number: number;
}

/** A guard that some memory carries. */
export interface GuardReport extends GuardPlace {
  /** In one line: `deny git commit with --no-verify`. */
  summary: string;
  tools: string[];
  action: "deny" | "ask" | "warn";
  isInForce: boolean;
  /** Why it does nothing here. */
  whyNot?: string;
  /** How often it fired, as far back as the log goes (some ten thousand firings), and how often a person said wrongly. */
  fired: number;
  wrong: number;
  /** How often it let pass what the user had allowed in the session. */
  letPass: number;
  lastFired?: string;
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

/** One guard asked of one command or call. */
export interface TriedStep {
  handle: string;
  number: number;
  summary: string;
  /** The command, pipeline or input that it was asked of, and what that stands in. */
  text: string;
  route: string[];
  /** The parts of the condition in order, up to the first that does not hold. */
  parts: { part: string; verdict: "yes" | "no" | "unknown" }[];
  /** What the guard says of it; the word of the glossary is about freshness, the key is kept. */
  verdict: "fires" | "no" | "unknown" | "excepted";
  /** The exception that holds. */
  exception?: string;
}

/** What would come of a tool use, and why. */
export interface GuardTrial {
  action: "allow" | "deny" | "ask" | "warn";
  /** What the model would be told. */
  reason?: ToolDecision["reason"];
  /** The commands that a shell text would run, as heed reads it. */
  commands: { text: string; route: string[] }[];
  /** What could not be read. */
  blindSpots: string[];
  /** Guards in force that were not asked: of other tools and programs. */
  notAsked: number;
  steps: TriedStep[];
  unevaluated: string[];
}
