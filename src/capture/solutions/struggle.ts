/** A call that waits for its result. */
export interface PendingCall {
  tool: string;
  /** The command line, or the input as one line. */
  what: string;
  programs: string[];
  isLook: boolean;
}

/** One try at something. */
export interface Attempt {
  tool: string;
  what: string;
  programs: string[];
  /** The line of its output that tells what went wrong; empty for one that worked. */
  error: string;
}

/** Something that went wrong and is not yet right. */
export interface OpenStruggle {
  attempts: Attempt[];
  /** Calls since the last failure. */
  age: number;
  /** Files were changed since the first failure. */
  hasEdits: boolean;
  time: string;
  /** The agent said that a step did not do what it should have; its status did not. */
  isSaid?: true;
  /** What may have worked: until the agent says so. */
  candidate?: Attempt;
}

/** A struggle that was won. */
export interface Struggle {
  /** What did not work, the first one first. */
  failed: Attempt[];
  /** What worked then. */
  solution: Attempt;
  /** Why it worked, as the agent said next: empty when it did not, absent before that. What it guessed before is none. */
  reason?: string;
  hasEdits: boolean;
  /** ISO time of the first failure. */
  time: string;
  /** Known by the agent's words and not by the status of a call. */
  isSaid?: true;
}
