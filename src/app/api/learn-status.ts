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
  /** `off`: nothing but what the session's model writes; `explicit`: what the user asks for in so many words, too. */
  mode: "off" | "explicit" | "model";
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
