/** What the judge was asked so far on this machine, and what that cost. */
export interface JudgeLedgerTotals {
  sessions: number;
  calls: number;
  /** Calls by what came of them: `chosen`, `timeout`, `unreachable`, `refused`, `nonsense`, `oversized`, `unanswered`. */
  outcomes: Record<string, number>;
  inputTokens: number;
  outputTokens: number;
  /** Some of these were not counted by the provider. */
  isEstimated: boolean;
  /** Of the first call that is kept. */
  since?: string;
  medianMs?: number;
  last?: { time: string; outcome: string; message?: string };
}

/** How the optional judge stands. */
export interface JudgeStatus {
  /** `broken`: set up, and not usable; nothing is asked then. */
  state: "on" | "off" | "broken";
  /** Why it is off. */
  reason?: string;
  /** What is wrong, each with its remedy. */
  problems: string[];
  /** `anthropic claude-haiku-4-5` */
  judge?: string;
  /** Base address, or the command of a client. */
  endpoint?: string;
  /** Of one session. */
  budget?: { calls: number; tokens: number };
  deadlineMs?: number;
  waitMs?: number;
  ledger: JudgeLedgerTotals;
}

/** What came of asking the configured judge once, about memories made up for it. */
export interface JudgeTrial {
  judge: string;
  outcome: "chosen" | "timeout" | "unreachable" | "refused" | "nonsense" | "oversized";
  /** Why it failed. */
  message?: string;
  prompt: string;
  /** What it was shown, and what it chose. */
  shortlist: { handle: string; description: string }[];
  chosen: string[];
  /** Whether it chose what a person would. */
  isAsExpected: boolean;
  elapsedMs: number;
  tokens?: { input: number; output: number; isEstimated: boolean };
}
