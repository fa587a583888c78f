import type { EventOutcome } from "../records/event-outcome.ts";

/** What a judge is told of a memory: never more than this. */
export interface ShortlistEntry {
  /** `heed:name`; unique in its list. */
  handle: string;
  description: string;
}

/** What is put to the judge. */
export interface AskedChoice {
  /** The client's session; without one nothing is asked, since its calls could not be counted. */
  session: string;
  prompt: string;
  shortlist: readonly ShortlistEntry[];
  /** `performance.now()` by which the prompt must go on. */
  deadlineAtMs: number;
}

/** What a judge chose. */
export interface JudgeChoice {
  /** `anthropic claude-haiku-4-5` */
  by: string;
  handles: ReadonlySet<string>;
}

/** The optional model that selects among what recall found; only a resident process of a user who set it up has one. */
export interface JudgeSource {
  /** Known not to be set up: nothing needs to be made ready for it. */
  readonly isOff: boolean;
  /**
   * Asks, and resolves with the choice when it comes before the prompt goes on. Resolves with undefined when it does not, or
   * when there is no judge, no budget, or trouble; a choice that comes later goes to `later`. Never rejects.
   */
  choose(asked: AskedChoice, later: (choice: JudgeChoice) => void): Promise<JudgeChoice | undefined>;
  /** Keeps what a late choice leads to for the next word that heed has with the session. */
  keep(session: string, outcome: EventOutcome): void;
  /** Takes what was kept for a session, once. */
  takeLate(session: string): EventOutcome | undefined;
  /** Ends what is under way and forgets what came late: the prompt that it belongs to is over. */
  forget(session: string): void;
  close(): Promise<void>;
}
