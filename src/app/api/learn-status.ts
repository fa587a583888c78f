/** What learning by a model has cost on a day (UTC). */
export interface LearnDay {
  calls: number;
  tokens: number;
  /** Items that came back, before any check. */
  items: number;
  /** What came of the last call. */
  last?: string;
}

/** Whether a model reads sessions afterwards, and what that costs. */
export interface LearnStatus {
  /** `off`: only what the session's model writes and what the user types for heed; `model`: a model reads sessions, too. */
  mode: "off" | "model";
  /** The user has said so; else it is the default. */
  isSaid: boolean;
  /** `anthropic claude-haiku-4-5` */
  model?: string;
  /** Of a day. */
  budget?: { calls: number; tokens: number };
  /** Why a model that is named is not used. */
  problems: string[];
  today: LearnDay;
}
