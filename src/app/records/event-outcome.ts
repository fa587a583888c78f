import type { Decision, EventAnswer } from "../api/session-events.ts";
import type { GuardAction } from "../../guard/guard.ts";
import type { SessionRecord } from "./session-state.ts";

/** What an event leads to: the answer, what the session remembers of it, and the decisions for the receipt. */
export interface EventOutcome {
  answer: EventAnswer;
  records: SessionRecord[];
  decisions: Decision[];
  /** The deadline cut the work. */
  isCut: boolean;
  /** Guards that fired, or let pass what the user had allowed. */
  guardEvents?: { rule: string; index: number; action: GuardAction | "let-pass" }[];
  /** What could not be decided, for the log. */
  trouble?: string;
  /** What is left to do once the answer is out. */
  afterwards?: () => void;
}

/** Nothing to tell, nothing to remember. */
export const NOTHING: EventOutcome = { answer: {}, records: [], decisions: [], isCut: false };
