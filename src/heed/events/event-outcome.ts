import type { Decision, EventAnswer } from "../hook-api.ts";
import type { SessionRecord } from "../session-state.ts";

/** What an event leads to: the answer, what the session remembers of it, and the decisions for the receipt. */
export interface EventOutcome {
  answer: EventAnswer;
  records: SessionRecord[];
  decisions: Decision[];
  /** The deadline cut the work. */
  isCut: boolean;
}

/** Nothing to tell, nothing to remember. */
export const NOTHING: EventOutcome = { answer: {}, records: [], decisions: [], isCut: false };
